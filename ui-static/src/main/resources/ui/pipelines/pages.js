// The pages of pipelines and of their runs.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    pipelines: { navigation: "Pipelines", shortcut: ["g p", "Pipelines"], view: () => html`<pipelines-page></pipelines-page>` },
    pipeline: {
      at: "pipelines",
      tabs: ["graph", "runs", "schedule", "versions"],
      under: "pipelines",
      view: ({ id, tab }) => html`<pipeline-page .name=${id} .tab=${tab}></pipeline-page>`,
    },
    runs: { under: "pipelines", view: () => html`<runs-page></runs-page>` },
    run: { at: "runs", tabs: ["graph", "compare"], under: "pipelines", view: ({ id, tab }) => html`<run-page .runId=${id} .tab=${tab}></run-page>` },
  },
  {
    pipelines: () => import("./pipelines-page.js"),
    pipeline: () => import("./pipeline-page.js"),
    runs: () => import("./runs-page.js"),
    run: () => import("./run-page.js"),
  },
);
