// One tracked run: parameters, metrics with their curves, tags, and the files that it logged.
import { html, nothing } from "lit";
import { tracking } from "../api/tracking.js";
import { bytes, count, fullTime, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { pill } from "../kit/status.js";
import { addressIn, route, setQuery } from "../shell/router.js";
import { drawable, isDrawable } from "./drawable.js";
import { isOfTrial, lasts, metricsOf, parametersOf, tagsOf, trialLink, value } from "./run-parts.js";
import "../charts/curves-chart.js";

const PAUSE_MS = 4000;
const MOST_CURVES = 12;

class TrackedRun extends Piece {
  static properties = { runId: {}, curves: { state: true }, files: { state: true } };

  constructor() {
    super();
    this.poll = new Poll(this, () => this.load(), { pauseMs: PAUSE_MS, about: () => `${this.runId} ${this.path}` });
  }

  willUpdate(changed) {
    if (changed.has("runId")) {
      this.curves = null;
      this.drawn = null;
    }
  }

  get path() {
    return route.current.query.get("path") ?? "";
  }

  async load() {
    const { runId, path } = this;
    const run = await tracking.run(runId);
    const [experiment, artifacts] = await Promise.all([tracking.experiment(run.info.experiment_id), tracking.artifacts(runId, path)]);
    const known = JSON.stringify(run.data.metrics);
    if (known !== this.drawn) {
      const curves = await Promise.all(Object.keys(metricsOf(run)).slice(0, MOST_CURVES).map(async (key) => ({ key, ...(await tracking.history(runId, key)) })));
      if (runId === this.runId) {
        this.curves = curves;
        this.drawn = known;
      }
    }
    return { run, experiment, artifacts };
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null || failure?.status === 404) {
      return notShown(failure, "run", this.runId, ["#/tracking", "All tracked experiments"]);
    }
    const { run, experiment, artifacts } = answer;
    const { info } = run;
    document.title = `${info.run_name} · Orrery`;
    return html`
      <div class="object-head"><div class="page-head">
        <div class="title"><h1>${info.run_name}</h1>${pill(info.status)}<span class="faint small">${info.user_id} ·
          <a href=${addressIn("tracking", info.experiment_id)}>${experiment.name}</a> ·
          <span title=${fullTime(info.start_time)}>${time(info.start_time)}</span> · ${lasts(info)}</span></div>
        <div class="end small">${trialLink(run)}</div></div>
        <p class="faint small code wrap">${info.run_id}</p></div>
      <div class="stack">
        ${this.charts(run)}
        ${table("Parameters", Object.entries(parametersOf(run)), "It has no parameters.")}
        ${table("Metrics", run.data.metrics.map((metric) => [metric.key, html`<b class="number" title=${metric.value}>${value(metric.value)}</b>
          <span class="faint">at step ${count(Number(metric.step))}, ${time(metric.timestamp)}</span>`]), "It has no metrics yet.")}
        ${table("Tags", Object.entries(tagsOf(run)), "It has no tags.")}
        ${this.artifacts(run, artifacts)}
      </div>`;
  }

  charts(run) {
    const curves = (this.curves ?? []).filter(isDrawable);
    if (curves.length === 0) {
      return nothing;
    }
    const left = run.data.metrics.length - this.curves.length;
    return html`<section class="card"><header><h2>Curves</h2></header><div class="pair-of-charts">${curves.map(
      ({ key, points, isCut }) => html`<div data-series=${key}><h3>${key}</h3><curves-chart size="low" across="Step" .says=${`${key} by step`}
        .curves=${drawable([{ trial: key, label: key, points }])}></curves-chart>${isCut ? html`<p class="faint small">The first ${count(points.length)} points.</p>` : nothing}</div>`,
    )}</div>${left > 0 ? html`<p class="faint small">${count(left)} more are in the table only.</p>` : nothing}</section>`;
  }

  artifacts(run, { files, isCut }) {
    const { path } = this;
    const above = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    return html`<section class="card"><header><h2>${isOfTrial(run) ? "Files of the trial" : "Artifacts"}</h2>
        ${path ? html`<div class="end"><span class="code small">${path}</span><button type="button" class="small"
          @click=${() => setQuery({ path: above })}>${icon("previous")}Up</button></div>` : nothing}</header>
      ${files.length === 0 ? html`<p class="soft small">There are none${path ? " here" : ""}.</p>` : html`<table class="pairs files"><tbody>${files.map((file) => {
        const name = file.path.split("/").at(-1);
        return html`<tr><td class="code wrap">${file.is_dir
          ? html`<button type="button" class="link" @click=${() => setQuery({ path: file.path }, { step: true })}>${icon("next")}${name}</button>`
          : html`<a href=${tracking.artifactAddress(run, file.path)} download=${name}>${icon("download")}${name}</a>`}</td><td
          class="right number soft">${file.is_dir ? "" : bytes(Number(file.file_size))}</td></tr>`;
      })}</tbody></table>`}
      ${isCut ? html`<p class="faint small">The first ${count(files.length)}. All are had by pages over MLflow's API.</p>` : nothing}</section>`;
  }
}

const table = (title, rows, none) => html`<section class="card"><header><h2>${title}</h2></header>
  ${rows.length === 0 ? html`<p class="soft small">${none}</p>` : html`<table class="pairs" aria-label=${title}><tbody>${rows.map(
    ([key, cell]) => html`<tr><th scope="row" class="wrap">${key}</th><td class="wrap">${cell}</td></tr>`,
  )}</tbody></table>`}</section>`;

define("tracked-run", TrackedRun);
