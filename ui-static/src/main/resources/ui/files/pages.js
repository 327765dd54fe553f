// The page of the person's files.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { files: { under: "notebooks", shortcut: ["g f", "Files"], view: () => html`<files-page></files-page>` } },
  { files: () => import("./files-page.js") },
);
