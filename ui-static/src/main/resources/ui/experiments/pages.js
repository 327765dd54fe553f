// The pages of experiments. The list is the first view, so that its module comes at once.
import { html } from "lit";
import { addPages } from "../shell/pages.js";
import "./list-page.js";

addPages(
  {
    list: { at: "", navigation: "Experiments", shortcut: ["g e", "Experiments"], view: () => html`<experiment-list></experiment-list>` },
    new: { under: "list", shortcut: ["g n", "New experiment"], view: ({ query }) => html`<new-experiment .from=${query.get("from")}></new-experiment>` },
    experiment: {
      at: "experiments",
      tabs: ["overview", "trials", "parameters", "curves", "analysis", "compare", "configuration", "log"],
      under: "list",
      view: ({ id, tab }) => html`<experiment-page .experimentId=${id} .tab=${tab}></experiment-page>`,
    },
  },
  {
    new: () => import("./new-page.js"),
    experiment: () => import("./experiment-page.js"),
  },
);
