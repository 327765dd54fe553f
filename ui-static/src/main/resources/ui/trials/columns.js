// The columns of the trial table: what each shows, how wide it is, by what it sorts and is narrowed.
import { html } from "lit";
import { tagList } from "../annotations/tag-list.js";
import { NOTHING, count, duration, fullTime, lasted, number, parameter, time } from "../kit/format.js";
import { recall, remember } from "../kit/remember.js";
import { TRIAL_STATUSES, pill, statusWord } from "../kit/status.js";
import { showTime } from "./filter-editor.js";
import { WAYS } from "./filters.js";

const STANDARD = [
  { key: "sequenceId", label: "No.", width: "76px", sort: "sequenceId", number: true, cell: (trial) => count(trial.sequenceId) },
  { key: "id", label: "Trial", width: "96px", sort: "id", cell: (trial) => html`<span class="code id">${trial.id}</span>`, fixed: true },
  { key: "status", label: "Status", width: "132px", sort: "status", options: TRIAL_STATUSES, show: statusWord, cell: (trial) => pill(trial.status) },
  { key: "metric", label: "Metric", width: "minmax(96px, 1fr)", sort: "metric", number: true, cell: (trial) => html`<b
    title=${trial.metric ?? ""}>${number(trial.metric)}</b>` },
];

const LATER = [
  { key: "duration", label: "Duration", width: "96px", sort: "duration", number: true, filterLabel: "Duration in s", cell: (trial) => duration(lasted(trial)) },
  { key: "startedAt", label: "Started", width: "116px", sort: "startedAt", number: true, kind: "time", show: showTime, cell: (trial) => html`<span
    title=${fullTime(trial.startedAt)}>${time(trial.startedAt)}</span>` },
  { key: "endedAt", label: "Ended", width: "116px", sort: "endedAt", number: true, kind: "time", show: showTime, cell: (trial) => html`<span
    title=${fullTime(trial.endedAt)}>${time(trial.endedAt)}</span>`, extra: true },
  { key: "attempt", label: "Attempt", width: "88px", sort: "attempt", number: true, cell: (trial) => count(trial.attempt), extra: true },
  { key: "exitCode", label: "Exit code", width: "92px", sort: "exitCode", number: true, cell: (trial) => trial.exitCode ?? NOTHING, extra: true },
  { key: "parameterSource", label: "Chosen by", width: "110px", sort: "parameterSource", cell: (trial) => trial.parameterSource ?? NOTHING, extra: true },
  { key: "reason", label: "Reason", width: "minmax(180px, 1.6fr)", sort: "reason", cell: (trial) => html`<span class="clip"
    title=${trial.reason ?? ""}>${trial.reason ?? ""}</span>` },
];

/** Shown by itself where trials have tags. */
const ofTags = (hasTags) => ({ key: "tags", label: "Tags", width: "140px", sort: "tag", cell: (trial) => tagList(trial.tags), extra: !hasTags });

const ofParameter = ({ name, isText, options }) => ({
  key: `parameters.${name}`,
  label: name,
  width: "minmax(96px, 1fr)",
  sort: `parameters.${name}`,
  number: !isText,
  options,
  group: "Parameters",
  cell: (trial) => html`<span class="clip"
    title=${parameter(trial.parameters?.[name])}>${parameter(trial.parameters?.[name])}</span>`,
});

/** A final result may be an object: each of its keys but "default" is a column. */
const ofMetric = (name) => ({
  key: `metric.${name}`,
  label: name,
  width: "minmax(96px, 1fr)",
  sort: `metric.${name}`,
  number: true,
  group: "Metrics",
  cell: (trial) => number(trial.metricDocument?.[name]),
});

/** Trials do not carry it: it is asked for when it is looked at, and nothing can be ordered by it. */
const ofReports = (counts) => ({
  key: "reports",
  label: "Reports",
  width: "84px",
  number: true,
  extra: true,
  cell: (trial) => count(counts.of(trial.id)),
});

/**
 * All columns for trials with these parameters ({name, isText, options}) and metrics.
 * @param counts how many intermediate results each has
 * @param hasTags whether a trial has tags
 */
export const columnsFor = (parameters, metrics, counts, hasTags) => [
  ...STANDARD,
  ...metrics.map(ofMetric),
  ...parameters.map(ofParameter),
  ...LATER,
  ofTags(hasTags),
  ofReports(counts),
];

/** Those that the reader wants: remembered, as choices against what is usual. */
export function chosenColumns(columns) {
  const choices = recall("columns", {});
  return columns.filter((column) => choices[column.key] ?? !column.extra);
}

/** What the table can be narrowed by, as a filter-editor takes it. */
export const fieldsOf = (columns) =>
  columns
    .filter((column) => column.sort)
    .map((column) => {
      const kind = column.options ? "options" : (column.kind ?? (column.number ? "number" : "text"));
      const isRange = kind === "options" && column.options.every((option) => typeof option === "number");
      return {
        key: column.sort,
        label: column.filterLabel ?? column.label,
        group: column.group,
        kind,
        ways: isRange ? ["is", "not", "between"] : WAYS[kind],
        options: column.options,
        show: column.show ?? parameter,
      };
    });

export function chooseColumn(column, isShown) {
  const choices = recall("columns", {});
  choices[column.key] = isShown;
  remember("columns", choices);
}
