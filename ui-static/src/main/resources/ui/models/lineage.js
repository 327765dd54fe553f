// Where a version of a model came from and who serves it: experiment → trial → version → services.
import { html } from "lit";
import { addressIn } from "../shell/router.js";

/** The services whose document names a version, by itself or by one of its aliases. */
export function servedBy(name, version, services) {
  return services.filter(({ model }) => model?.name === name && (model.version === version.version || version.aliases.includes(model.alias)));
}

/** What came before a version, the first thing first. */
function originsOf({ experiment, trial, run, step }) {
  if (experiment) {
    const from = [["Experiment", experiment, addressIn("experiments", experiment)]];
    return trial ? [...from, ["Trial", trial, `${addressIn("experiments", experiment)}/trials?trial=${trial}`]] : from;
  }
  if (run) {
    const from = [["Run", run, addressIn("runs", run)]];
    return step ? [...from, ["Step", step, `${addressIn("runs", run)}?step=${step}`]] : from;
  }
  return [["Files", "uploaded", null]];
}

export function lineage(name, version, services) {
  const served = servedBy(name, version, services);
  return html`<ol class="way lineage" aria-label="Lineage of version ${version.version}">
    ${originsOf(version.source).map(([kind, id, address]) => html`<li><span class="soft small">${kind}</span>${
      address ? html`<a class="small" href=${address}>${id}</a>` : html`<span class="small">${id}</span>`}</li>`)}
    <li><span class="soft small">Version</span><b class="small">${name} ${version.version}</b></li>
    <li><span class="soft small">Served by</span>${served.length === 0
      ? html`<span class="small faint">no service</span>`
      : served.map((one) => html`<span class="small"><a href=${addressIn("services", one.name)}>${one.name}</a> ${
        one.model.alias ? html`<span class="faint">by the alias ${one.model.alias}</span>` : ""}</span>`)}</li>
  </ol>`;
}
