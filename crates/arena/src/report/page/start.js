const data = JSON.parse(document.getElementById("data").textContent);
drawCharts(data.charts);
const place = document.getElementById("replay");
if (place) mountReplay(place, data);
