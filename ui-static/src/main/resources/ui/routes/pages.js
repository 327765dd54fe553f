// The page of the serving router's table.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { routes: { under: "services", shortcut: ["g r", "Route table"], view: () => html`<routes-page></routes-page>` } },
  { routes: () => import("./routes-page.js") },
);
