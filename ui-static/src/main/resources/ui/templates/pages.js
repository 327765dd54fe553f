// The pages of templates of tasks.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    templates: { under: "pipelines", view: () => html`<templates-page></templates-page>` },
    template: { at: "templates", tabs: ["document"], under: "pipelines", view: ({ id }) => html`<template-page .name=${id}></template-page>` },
  },
  {
    templates: () => import("./templates-page.js"),
    template: () => import("./template-page.js"),
  },
);
