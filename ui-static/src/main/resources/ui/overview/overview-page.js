// The page of the morning: what is wrong, what failed, what waits and why, what runs, what is due, what ended lately.
import { html, nothing } from "lit";
import { experiments } from "../api.js";
import { runs } from "../api/pipelines.js";
import { services } from "../api/services.js";
import { loadingRows } from "../experiments/list-states.js";
import { count, duration, fullTime, lasted, time } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { isLive, pill } from "../kit/status.js";
import { addressIn } from "../shell/router.js";
import { SOURCES, failures, troubles } from "./sources.js";
import { nextOf, schedulesOfAll, whatWaits } from "./waiting.js";

const SLOW_MS = 5000;
const SCHEDULES_MS = 30_000;
const WAITING_MS = 15_000;
const MOST = 200;
const SHOWN = 12;

class OverviewPage extends Piece {
  constructor() {
    super();
    this.poll = new Poll(this, async () => {
      const [all, latest, kept] = await Promise.all([
        experiments.list({ limit: MOST }),
        runs.list({ limit: MOST }),
        services.list({ limit: 1000 }),
      ]);
      return { experiments: all.items, runs: latest.items, services: kept.items };
    }, { pauseMs: SLOW_MS });
    // Asks for one run and experiment after the other, so less often than the lists.
    this.waiting = new Poll(this, async () => {
      const { experiments: all, runs: latest } = this.poll.answer ?? { experiments: [], runs: [] };
      return whatWaits(all, latest);
    }, { pauseMs: WAITING_MS, about: () => this.poll.answer !== null });
    this.due = new Poll(this, schedulesOfAll, { pauseMs: SCHEDULES_MS });
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Overview · Orrery";
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null) {
      return html`<div class="page-head"><h1>Overview</h1></div>${failure ? html`<div class="card state"><p>${failure.message}</p></div>` : loadingRows()}`;
    }
    const things = SOURCES.flatMap((source) => answer[source.key].map(source.thing));
    const isEmpty = things.length === 0;
    return html`<div class="page-head"><h1>Overview</h1></div>
      ${isEmpty ? welcome() : html`
        <div class="figures">${SOURCES.map((source) => figure(source, answer[source.key]))}</div>
        <div class="columns">
          ${list("Needs attention", troubles(things), "All services are well.")}
          ${list("Failed today", failures(things, Date.now()), "Nothing failed in the last day.")}
          ${waits(this.waiting.answer ?? [])}
          ${list("Under way", things.filter((thing) => isLive(thing.status)), "Nothing is running.")}
          ${due(nextOf(this.due.answer ?? [], Date.now()))}
          ${list("Ended lately", things.filter((thing) => thing.endedAt).sort((a, b) => b.endedAt.localeCompare(a.endedAt)), "Nothing ended yet.")}
        </div>`}`;
  }
}

function figure({ label, address, isWell }, items) {
  const well = items.filter(isWell.test).length;
  return html`<a class="card figure" href=${address}><h2>${label}</h2>
    <span class="value">${count(well)} <small>${isWell.word} of ${count(items.length)}${items.length >= MOST ? " latest" : ""}</small></span></a>`;
}

const list = (title, things, empty) => html`<section class="card"><header><h2>${title}</h2>${things.length > 0 ? html`<span class="soft small number">${count(things.length)}</span>` : nothing}</header>
  ${things.length === 0
    ? html`<p class="soft small">${empty}</p>`
    : html`<ul class="things">${things.slice(0, SHOWN).map((thing) => html`<li>
        <div class="line"><a class="name" href=${addressIn(thing.collection, thing.id)}>${thing.name}</a>${pill(thing.status)}
          <span class="faint small end" title=${fullTime(thing.endedAt ?? thing.startedAt)}>${thing.endedAt ? time(thing.endedAt) : thing.startedAt ? duration(lasted(thing)) : ""}</span></div>
        ${thing.reason ? html`<p class="small ${isLive(thing.status) ? "soft" : "bad"} clip" title=${thing.reason}>${thing.reason.split("\n")[0]}</p>` : nothing}
      </li>`)}</ul>`}
</section>`;

const waits = (all) => html`<section class="card"><header><h2>Waits</h2>${all.length > 0 ? html`<span class="soft small number">${count(all.length)}</span>` : nothing}</header>
  ${all.length === 0
    ? html`<p class="soft small">Nothing waits for room, a person or its turn.</p>`
    : html`<ul class="things">${all.slice(0, SHOWN).map(({ address, name, reason, isQuestion }) => html`<li>
        <div class="line"><a class="name" href=${address}>${name}</a>${isQuestion ? html`<span class="pill warn">Asks a person</span>` : nothing}</div>
        <p class="small soft clip" title=${reason}>${reason.split("\n")[0]}</p></li>`)}</ul>`}
</section>`;

const due = (all) => html`<section class="card"><header><h2>Due next</h2></header>
  ${all.length === 0
    ? html`<p class="soft small">No schedule has a next time.</p>`
    : html`<ul class="things">${all.map(({ pipeline, at }) => html`<li class="line"><a class="name" href=${addressIn("pipelines", pipeline, "schedule")}>${pipeline}</a>
        <span class="faint small end number" title=${at}>${fullTime(at)}</span></li>`)}</ul>`}
</section>`;

const welcome = () => html`<div class="card state"><h2>Nothing here yet</h2>
  <p>Search hyper-parameters with an experiment, chain programs in a pipeline, or keep a program running as a service.</p>
  <div class="toolbar"><a class="button primary" href="#/new">New experiment</a><a class="button" href="#/editor">New pipeline</a><a
    class="button" href="#/documents/service">New service</a></div></div>`;

define("overview-page", OverviewPage);
