// What a search is after, as rows of a form: a metric and which way it is good.
import { html, nothing } from "lit";
import { icon } from "../kit/icons.js";

const STANDARD = "default";

/** The objectives of a configuration; one that has none is after its optimize_mode, or else after more. */
export function objectivesOf(model) {
  const mode = model.tuner?.classArgs?.optimize_mode ?? model.assessor?.classArgs?.optimize_mode;
  return model.objectives?.length > 0 ? model.objectives : [{ metric: STANDARD, goal: mode ?? "maximize" }];
}

/** Without optimize_mode, of which there would be two truths. */
function withoutMode(algorithm) {
  if (!algorithm?.classArgs || !("optimize_mode" in algorithm.classArgs)) {
    return algorithm;
  }
  const { optimize_mode: _, ...classArgs } = algorithm.classArgs;
  const { classArgs: __, ...rest } = algorithm;
  return Object.keys(classArgs).length > 0 ? { ...rest, classArgs } : rest;
}

/** @param change takes the keys of the configuration that are different now */
export function objectiveRows(model, change, fault) {
  const rows = objectivesOf(model);
  const put = (objectives) => change({ objectives, tuner: withoutMode(model.tuner), assessor: withoutMode(model.assessor) });
  const free = () => {
    let n = rows.length + 1;
    while (rows.some((row) => row.metric === `metric_${n}`)) {
      n++;
    }
    return `metric_${n}`;
  };
  return html`<fieldset class="space-rows">
    <legend><h2>Objectives</h2></legend>
    ${rows.map(
      (row, at) => html`<div class="objective-row" role="group" aria-label="Objective ${at + 1}">
        <input aria-label="Metric" spellcheck="false" .value=${row.metric}
          @change=${(event) => put(rows.with(at, { ...row, metric: event.target.value.trim() }))}>
        <select name=${at === 0 ? "mode" : nothing} aria-label="Goal" @change=${(event) => put(rows.with(at, { ...row, goal: event.target.value }))}>
          ${[["maximize", "higher is better"], ["minimize", "lower is better"]].map(([goal, word]) => html`<option value=${goal} ?selected=${row.goal === goal}>${word}</option>`)}
        </select>
        <button type="button" class="plain square" aria-label="Remove objective ${at + 1}" ?disabled=${rows.length === 1}
          @click=${() => put(rows.toSpliced(at, 1))}>${icon("close")}</button>
      </div>`,
    )}
    <p><button type="button" class="small" @click=${() => put([...rows, { metric: free(), goal: "maximize" }])}>${icon("add")}Objective</button></p>
    ${fault ? html`<p class="fault">${fault}</p>` : html`<p class="faint small">The metric <code>default</code> is the number that a trial reports, or that entry of an object.</p>`}
  </fieldset>`;
}
