// The pages of user accounts and projects.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    account: { menu: "Account", view: () => html`<account-page></account-page>` },
    projects: { menu: "Projects", view: () => html`<projects-page></projects-page>` },
    project: { at: "projects", tabs: ["members"], view: ({ id }) => html`<project-page .name=${id}></project-page>` },
    people: { menu: "People", forAdmins: true, view: () => html`<people-page></people-page>` },
    retention: { menu: "Retention", forAdmins: true, view: () => html`<retention-page></retention-page>` },
    audit: { menu: "Audit", view: () => html`<audit-page></audit-page>` },
  },
  {
    account: () => import("./account-page.js"),
    projects: () => import("./projects-page.js"),
    project: () => import("./project-page.js"),
    people: () => import("./people-page.js"),
    retention: () => import("./retention-page.js"),
    audit: () => import("./audit-page.js"),
  },
);
