// The page of the server's log.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { log: { navigation: "Log", shortcut: ["g l", "Server log"], view: () => html`<div class="page-head"><h1>Server log</h1></div><server-log></server-log>` } },
  { log: () => import("./server-log.js") },
);
