// Where the app begins: the choices are applied, links are caught, and the shell is drawn.
import { render } from "preact";
import { App } from "./App";
import { catchLinks } from "./ui/router";
import { apply } from "./ui/settings";
import "./ui/tokens.css";
import "./ui/app.css";
import "./board/board.css";
import "./pages/pages.css";

apply();
catchLinks();
const root = document.getElementById("app");
if (root) render(<App />, root);
