// The pages of services and of their domains.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    services: { navigation: "Services", shortcut: ["g s", "Services"], view: () => html`<services-page></services-page>` },
    service: {
      at: "services",
      tabs: ["overview", "log", "terminal", "events", "document"],
      under: "services",
      view: ({ id, tab }) => html`<service-page .name=${id} .tab=${tab}></service-page>`,
    },
    domain: { at: "domains", tabs: ["overview"], under: "services", view: ({ id }) => html`<domain-page .host=${id}></domain-page>` },
  },
  {
    services: () => import("./services-page.js"),
    service: () => import("./service-page.js"),
    domain: () => import("./domain-page.js"),
  },
);
