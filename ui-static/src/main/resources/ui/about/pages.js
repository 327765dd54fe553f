// The page of help.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { about: { navigation: "Help", view: () => html`<about-page></about-page>` } },
  { about: () => import("./about-page.js") },
);
