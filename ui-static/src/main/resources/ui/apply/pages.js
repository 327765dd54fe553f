// The page on which documents are applied, and the one on which a configuration is checked for its platform.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    apply: { menu: "Apply documents", shortcut: ["g a", "Apply documents"], isKept: true, view: () => html`<apply-page></apply-page>` },
    check: { menu: "Check a platform", isKept: true, view: () => html`<check-page></check-page>` },
  },
  {
    apply: () => import("./apply-page.js"),
    check: () => import("./check-page.js"),
  },
);
