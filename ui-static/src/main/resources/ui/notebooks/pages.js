// The page of notebooks.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { notebooks: { navigation: "Notebooks", shortcut: ["g b", "Notebooks"], view: () => html`<notebooks-page></notebooks-page>` } },
  { notebooks: () => import("./notebooks-page.js") },
);
