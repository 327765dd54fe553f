// The editor of pipelines.
import { html } from "lit";
import { addPages } from "../shell/pages.js";

addPages(
  { editor: { view: ({ query }) => html`<pipeline-editor .name=${query.get("name")} .like=${query.get("like")} .sample=${query.get("sample")}></pipeline-editor>` } },
  { editor: () => import("./pipeline-editor.js") },
);
