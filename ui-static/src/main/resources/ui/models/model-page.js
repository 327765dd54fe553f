// One model: its versions with metrics, files and where they came from, and the aliases that name them.
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { models } from "../api/models.js";
import { services } from "../api/services.js";
import { confirm } from "../kit/confirm.js";
import { bytes, fullTime, number, time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { notShown } from "../kit/page-states.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { addressIn, navigate } from "../shell/router.js";
import { attempt } from "../shell/toasts.js";
import { lineage } from "./lineage.js";
import "../notebooks/notebook-opener.js";

const PAGE = 200;
const STAGES = ["none", "staging", "production", "archived"];
const SLOW_MS = 10_000;

class ModelPage extends Piece {
  static properties = { name: {}, open: { state: true }, files: { state: true } };

  constructor() {
    super();
    this.open = null;
    this.files = null;
    this.poll = new Poll(
      this,
      async () => {
        const [model, page, served] = await Promise.all([
          models.get(this.name),
          models.versions(this.name, { limit: PAGE }),
          services.list({ limit: PAGE }),
        ]);
        return { model, versions: page.items, next: page.next, services: served.items };
      },
      { pauseMs: SLOW_MS, about: () => this.name },
    );
  }

  willUpdate(changed) {
    if (changed.has("name")) {
      this.open = null;
    }
  }

  async change(action, done) {
    if ((await attempt(async () => (await action(), true), done)) === true) {
      this.poll.now();
    }
  }

  async show(version) {
    this.open = this.open === version ? null : version;
    this.files = null;
    if (this.open !== null) {
      const page = await attempt(() => models.files(this.name, version));
      if (this.open === version) {
        this.files = page?.items ?? [];
      }
    }
  }

  async removeVersion(version) {
    const agreed = await confirm({ title: `Delete version ${version}?`, text: "Its entry is deleted for good.", action: "Delete" });
    if (agreed) {
      await this.change(() => models.removeVersion(this.name, version), `Version ${version} deleted`);
    }
  }

  async erase() {
    const agreed = await confirm({ title: `Delete ${this.name}?`, text: "The model and all of its versions are deleted for good.", action: "Delete" });
    if (agreed && (await attempt(async () => (await models.remove(this.name), true), `${this.name} deleted`))) {
      navigate("#/models");
    }
  }

  async setAlias(event, version) {
    event.preventDefault();
    const alias = new FormData(event.target).get("alias").trim();
    event.target.reset();
    await this.change(() => models.alias(this.name, alias, version), `${alias} is version ${version} now`);
  }

  render() {
    const { answer, failure } = this.poll;
    if (answer === null || failure?.status === 404) {
      return notShown(failure, "model", this.name, ["#/models", "All models"]);
    }
    const { model, versions } = answer;
    document.title = `${model.name} · Orrery`;
    // The columns: every metric that one of the versions has.
    const metrics = [...new Set(versions.flatMap((version) => Object.keys(version.metrics)))].slice(0, 6);
    return html`
      <div class="object-head"><div class="page-head">
        <div class="title"><h1>${model.name}</h1><span class="faint small">${model.owner} in ${model.project} ·
          <span title=${fullTime(model.changedAt)}>changed ${time(model.changedAt)}</span></span></div>
        <div class="end"><a class="button" href=${`#/registration?model=${encodeURIComponent(model.name)}`}>${icon("add")}Register a version</a>
          <button type="button" class="danger" @click=${this.erase}>${icon("trash")}Delete</button></div>
      </div>
      ${model.description ? html`<p class="soft">${model.description}</p>` : nothing}</div>
      <div class="card flush"><table class="objects" aria-label="Versions">
        <thead><tr><th>Version</th><th>Aliases</th>${metrics.map((name) => html`<th class="right">${name}</th>`)}<th>From</th><th
          class="right">Size</th><th>Registered</th><th><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${repeat(versions, (one) => one.version, (one) => this.row(one, metrics))}</tbody>
      </table></div>`;
  }

  row(version, metrics) {
    const isOpen = this.open === version.version;
    return html`<tr data-version=${version.version}>
        <td class="who"><button type="button" class="link name" aria-expanded=${isOpen} @click=${() => this.show(version.version)}>${icon(isOpen ? "down" : "next")}${version.version}</button>
          ${version.stage !== "none" ? html`<span class="faint small">${version.stage}</span>` : nothing}</td>
        <td>${version.aliases.map((alias) => html`<span class="tag">${alias}<button type="button" class="plain" aria-label="Remove alias ${alias}"
          @click=${() => this.change(() => models.removeAlias(this.name, alias), `${alias} names nothing any more`)}>${icon("close")}</button></span> `)}</td>
        ${metrics.map((name) => html`<td class="right number" data-label=${name}>${number(version.metrics[name])}</td>`)}
        <td class="small soft" data-label="From">${sourceOf(version.source)}</td>
        <td class="right small soft number" data-label="Size">${version.bytes === null ? "–" : bytes(version.bytes)}</td>
        <td class="small soft number" data-label="Registered" title=${fullTime(version.createdAt)}>${time(version.createdAt)} by ${version.owner}</td>
        <td class="right"><button type="button" class="plain square small danger" aria-label="Delete version ${version.version}"
          @click=${() => this.removeVersion(version.version)}>${icon("trash")}</button></td>
      </tr>
      ${isOpen ? html`<tr class="detail"><td colspan=${7 + metrics.length}>${this.detail(version)}</td></tr>` : nothing}`;
  }

  detail(version) {
    return html`<div class="version-detail">
      ${lineage(this.name, version, this.poll.answer.services)}
      ${version.description ? html`<p class="soft">${version.description}</p>` : nothing}
      <form class="inline" @submit=${(event) => this.setAlias(event, version.version)}>
        <label class="field"><span>Stage</span><select @change=${(event) => this.change(
          () => models.change(this.name, version.version, { stage: event.target.value }),
          `Version ${version.version} has the stage ${event.target.value} now`,
        )}>${STAGES.map((stage) => html`<option ?selected=${stage === version.stage}>${stage}</option>`)}</select></label>
        <label class="field"><span>Alias for this version</span><input type="text" name="alias" required
          placeholder="production" spellcheck="false"></label><button>Set</button></form>
      <p class="small soft">Serve it: <code>model: {name: ${this.name}, version: "${version.version}"}</code> ${version.artifact
        ? html`· <span class="code clip" title=${version.artifact}>${version.artifact.slice(0, 19)}…</span>` : nothing}</p>
      ${this.files === null ? html`<span class="spinner"></span>` : html`<table class="pairs files">${this.files.map(
        (file) => html`<tr><td><a href=${models.fileAddress(this.name, version.version, file.path)} download>${icon("download")}${file.path}</a></td><td
          class="right small soft number">${bytes(file.bytes)}</td></tr>`,
      )}</table>`}
      ${this.files?.length > 0 ? html`<notebook-opener .from=${{ model: this.name, version: version.version }}></notebook-opener>` : nothing}
    </div>`;
  }
}

const sourceOf = (source) =>
  source.experiment
    ? html`<a href="${addressIn("experiments", source.experiment)}${source.trial ? `/trials?trial=${source.trial}` : ""}">experiment ${source.experiment}</a>`
    : source.run
      ? html`<a href="${addressIn("runs", source.run)}${source.step ? `?step=${source.step}` : ""}">run ${source.run}</a>`
      : "uploaded";

define("model-page", ModelPage);
