// The page that compares experiments.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { compare: { under: "list", view: () => html`<comparison-page></comparison-page>` } },
  { compare: () => import("./comparison-page.js") },
);
