// Elements, made in one call.

const SVG = "http://www.w3.org/2000/svg";

const svg = (name, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

const html = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

const minus = (text) => String(text).replace("-", "−");
