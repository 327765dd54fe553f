// The pages of images and of their builds.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    images: { navigation: "Images", shortcut: ["g i", "Images"], view: () => html`<images-page></images-page>` },
    builds: { under: "images", view: () => html`<images-page></images-page>` },
    build: { at: "builds", tabs: ["log"], under: "images", view: ({ id }) => html`<build-page .name=${id}></build-page>` },
  },
  {
    images: () => import("./images-page.js"),
    builds: () => import("./images-page.js"),
    build: () => import("./build-page.js"),
  },
);
