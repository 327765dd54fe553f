// The page of what projects and people use.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { usage: { menu: "Usage", view: () => html`<usage-page></usage-page>` } },
  { usage: () => import("./usage-page.js") },
);
