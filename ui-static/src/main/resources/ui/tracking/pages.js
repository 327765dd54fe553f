// The pages of tracked experiments and runs.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  {
    tracking: { under: "list", shortcut: ["g t", "Tracked runs"], view: () => html`<tracking-page></tracking-page>` },
    "tracked-runs": { at: "tracking", tabs: ["runs"], under: "list", view: ({ id }) => html`<tracked-runs .ids=${id}></tracked-runs>` },
    "tracked-run": { at: "tracked", tabs: ["metrics"], under: "list", view: ({ id }) => html`<tracked-run .runId=${id}></tracked-run>` },
    "compare-tracked": { under: "list", view: () => html`<tracked-comparison></tracked-comparison>` },
  },
  {
    tracking: () => import("./tracking-page.js"),
    "tracked-runs": () => import("./tracked-runs.js"),
    "tracked-run": () => import("./tracked-run.js"),
    "compare-tracked": () => import("./tracked-comparison.js"),
  },
);
