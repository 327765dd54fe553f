// The page of how the server is.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { status: { menu: "Status", view: () => html`<status-page></status-page>` } },
  { status: () => import("./status-page.js") },
);
