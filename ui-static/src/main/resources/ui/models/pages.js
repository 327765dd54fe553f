// The pages of models.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    models: { navigation: "Models", shortcut: ["g m", "Models"], view: () => html`<models-page></models-page>` },
    model: { at: "models", tabs: ["versions"], under: "models", view: ({ id }) => html`<model-page .name=${id}></model-page>` },
    registration: { under: "models", isKept: true, view: ({ query }) => html`<registration-page .name=${query.get("model") ?? ""}></registration-page>` },
  },
  {
    models: () => import("./models-page.js"),
    model: () => import("./model-page.js"),
    registration: () => import("./registration-page.js"),
  },
);
