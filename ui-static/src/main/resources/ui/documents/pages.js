// The form in which a document of any kind is created or changed.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { document: { at: "documents", tabs: ["new", "change"], isKept: true, view: ({ id, tab }) => html`<document-page .kind=${id} .isNew=${tab === "new"}></document-page>` } },
  { document: () => import("./document-page.js") },
);
