// The page of all that waits and runs.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { overview: { navigation: "Overview", shortcut: ["g o", "Overview"], view: () => html`<overview-page></overview-page>` } },
  { overview: () => import("./overview-page.js") },
);
