// The usual keys of a configuration as fields. What the form does not know stays as it is.
import { html, nothing } from "lit";
import { pointerStep } from "../kit/fields.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { refusalOf } from "./algorithm-fit.js";
import { objectiveRows } from "./form-objectives.js";
import { gitButton, gitFields, isFromGit } from "./git-code.js";
import { FURTHER_SETTINGS } from "./further-settings.js";
import { optionFields, withMember } from "./option-fields.js";
import { isSeveral, serviceRows, severalOf, SEVERAL } from "./services-form.js";
import { spaceRow } from "./space-rows.js";
import "./code-source.js";

/** Keys of a platform that the form has already. */
const ELSEWHERE = ["platform", "trialCommand", "trialCodeDirectory", "trialGpuNumber", "nniManagerIp", "debug"];

/** The arguments of an algorithm as option-fields takes them; a dot in a name leads into a group. */
function argumentsOf(algorithm) {
  const options = [];
  for (const { name, ...argument } of algorithm?.arguments ?? []) {
    // Said by the objectives.
    if (name === "optimize_mode") {
      continue;
    }
    const [group, member] = name.includes(".") ? name.split(/\.(.*)/s) : [null, name];
    const option = { ...argument, name: member, required: false, words: [], options: [] };
    if (group === null) {
      options.push(option);
      continue;
    }
    let section = options.find((other) => other.name === group);
    if (!section) {
      section = { name: group, type: "section", required: false, default: null, meaning: "Options of its own", words: [], options: [] };
      options.push(section);
    }
    section.options.push(option);
  }
  return options;
}

/** The lines of a text that are not empty; undefined without any. */
function linesOf(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.length > 0 ? lines : undefined;
}

const option = (name, chosen, words = name || "none") => html`<option value=${name} ?selected=${name === chosen}>${words}</option>`;

class ConfigForm extends Piece {
  static properties = { model: { attribute: false }, errors: { attribute: false }, algorithms: { attribute: false }, platforms: { attribute: false } };

  change(patch) {
    this.tell("changed", { ...this.model, ...patch });
  }

  faultAt(...pointers) {
    return this.errors.filter((error) => pointers.some((pointer) => error.pointer === pointer || error.pointer.startsWith(pointer + "/"))).map((error) => error.message).join(" ");
  }

  field(key, label, { hint = "", span = "two", type = "text", isNumber = false, least = 1 } = {}) {
    const fault = this.faultAt("/" + key);
    const read = (text) => (text === "" ? undefined : isNumber ? Number(text) : text);
    return html`<label class="field ${span}"><span>${label}</span>
      <input name=${key} type=${type} min=${isNumber ? least : nothing} spellcheck="false" autocomplete="off"
        aria-invalid=${fault ? "true" : "false"}
        .value=${String(this.model[key] ?? "")} @input=${(event) => this.change({ [key]: read(event.target.value) })}>
      ${fault ? html`<span class="fault">${fault}</span>` : hint ? html`<small>${hint}</small>` : nothing}</label>`;
  }

  /** The code as a directory, and the ways to one. */
  directory() {
    const chosen = (code) => this.change({ trialCodeDirectory: code });
    return html`${this.field("trialCodeDirectory", "Code directory", { span: "four", hint: "On the server's machine, or in your files: /mnt/<you>/…. Trials run in it." })}
      <div class="field six"><div class="toolbar">
        <code-source @chosen=${(event) => chosen(event.detail)}></code-source>
        ${gitButton(chosen)}</div></div>`;
  }

  render() {
    const { model } = this;
    const service = model.trainingService ?? {};
    const platform = isSeveral(service) ? SEVERAL : (service.platform ?? "local");
    const platforms = this.platforms.map((it) => it.name).filter((name) => name !== SEVERAL);
    return html`
      <div class="form-grid">
        ${this.field("experimentName", "Name")}
        ${isFromGit(model.trialCodeDirectory) ? gitFields(model.trialCodeDirectory, (code) => this.change({ trialCodeDirectory: code }), (pointer) => this.faultAt(pointer)) : this.directory()}
        ${this.field("trialCommand", "Command", { span: "four", hint: "What one trial runs. Parameters arrive through nni, as $ORRERY_PARAM_… or as {{params.name}}." })}
        <label class="field two check-field"><span>Parameters as arguments</span><input type="checkbox" name="parametersAsArguments" .checked=${model.parametersAsArguments === true}
          @change=${(event) => this.change({ parametersAsArguments: event.target.checked || undefined })}>
          <small>The command gets each as <code>--name=value</code>.</small></label>
        ${this.field("trialConcurrency", "Trials at once", { type: "number", isNumber: true })}
        ${this.field("maxTrialNumber", "Most trials", { type: "number", isNumber: true, hint: "Empty: no limit." })}
        ${this.field("maxExperimentDuration", "Longest time", { hint: "Such as 30m, 2h, 1d. Empty: no limit." })}
        ${this.field("maxFailedTrials", "Most failed trials", { type: "number", isNumber: true, hint: "Empty: no limit." })}
        ${this.field("maxTrialDuration", "Longest trial", { hint: "Such as 10m. Empty: no limit." })}
        ${this.field("trialGpuNumber", "GPUs a trial", { type: "number", isNumber: true, least: 0, hint: "Empty: none are assigned." })}
        ${this.algorithmField("tuner", this.algorithms.filter((it) => it.kind !== "assessor"))}
        ${this.algorithmField("assessor", this.algorithms.filter((it) => it.kind === "assessor"))}
        <label class="field two"><span>Platform</span>
          <select name="platform" @change=${(event) => this.choosePlatform(event.target.value, service)}>
            ${[...new Set([...platforms, platform, SEVERAL])].map((name) => html`<option value=${name} ?selected=${name === platform}>${name === SEVERAL ? "Several (hybrid)" : name}</option>`)}
          </select>
          ${this.faultOf("/trainingService") ? html`<span class="fault">${this.faultOf("/trainingService")}</span>` : platform === SEVERAL ? html`<small>They share the trials.</small>` : html`<small>${this.platforms.find((it) => it.name === platform)?.summary ?? ""}</small>`}</label>
      </div>
      ${this.options(`Options of ${model.tuner?.name}`, argumentsOf(this.algorithm("tuner")), model.tuner?.classArgs, (classArgs) => this.change({ tuner: withMember(model.tuner, "classArgs", classArgs) }), "/tuner/classArgs")}
      ${this.options(`Options of ${model.assessor?.name}`, argumentsOf(this.algorithm("assessor")), model.assessor?.classArgs, (classArgs) => this.change({ assessor: withMember(model.assessor, "classArgs", classArgs) }), "/assessor/classArgs")}
      ${platform === SEVERAL ? this.services(service, platforms) : this.options(`Platform ${platform}`, this.keysOf(platform), service, (changed) => this.change({ trainingService: { platform, ...changed } }), "/trainingService")}
      ${this.options("More settings", FURTHER_SETTINGS, model, (changed) => this.tell("changed", changed), "")}
      ${objectiveRows(model, (patch) => this.change(patch), this.faultAt("/objectives"))}
      <fieldset class="space-rows">
        <legend><h2>Search space</h2></legend>
        ${this.entries().map(([name, entry], at) => this.entry(name, entry, at))}
        <p><button type="button" class="small" @click=${this.addEntry}>${icon("add")}Parameter</button></p>
        ${this.faultAt("/searchSpace") && this.entries().length === 0 ? html`<p
          class="fault">${this.faultAt("/searchSpace")}</p>` : nothing}
      </fieldset>
      <fieldset class="space-rows">
        <legend><h2>Constraints</h2></legend>
        <textarea name="constraints" class="code" rows=${Math.max(2, (model.constraints?.length ?? 0) + 1)} spellcheck="false" aria-label="Constraints, one a line"
          placeholder="batch_size * hidden <= 65536" .value=${(model.constraints ?? []).join("\n")}
          aria-invalid=${this.faultAt("/constraints") ? "true" : "false"} @change=${(event) => this.change({ constraints: linesOf(event.target.value) })}></textarea>
        ${this.faultAt("/constraints") ? html`<p class="fault">${this.faultAt("/constraints")}</p>` : html`<p class="faint small">Conditions that the parameters of every trial meet, one a line.</p>`}
      </fieldset>
    `;
  }

  choosePlatform(name, service) {
    this.change({ trainingService: name === SEVERAL ? severalOf(service) : { platform: name } });
  }

  services(service, platforms) {
    return serviceRows({
      service,
      platforms,
      keysOf: (name) => this.keysOf(name),
      change: (trainingService) => this.change({ trainingService }),
      faultAt: (at) => this.faultAt(at),
    });
  }

  /** What the server says of the tuner or the assessor that is chosen. */
  algorithm(key) {
    const name = this.model[key]?.name;
    return this.algorithms.find((it) => (it.kind === "assessor") === (key === "assessor") && (it.name === name || it.aliases?.includes(name)));
  }

  keysOf(platform) {
    return (this.platforms.find((it) => it.name === platform)?.options ?? []).filter((option) => !ELSEWHERE.includes(option.name));
  }

  /** A part of the form that opens where something of it is set, is missing or is wrong. */
  options(heading, options, values, change, pointer) {
    if (options.length === 0) {
      return nothing;
    }
    const names = options.map((option) => option.name);
    const isUsed = names.some((name) => values?.[name] !== undefined || this.faultAt(`${pointer}/${name}`));
    return html`<details class="settings" data-settings=${heading} ?open=${isUsed || options.some((option) => option.required)}>
      <summary><h2>${heading}</h2></summary>
      ${optionFields(options, values, change, (at) => this.faultAt(at), pointer)}
    </details>`;
  }

  /** What is wrong with a section as a whole, and not with a key that has a field. */
  faultOf(pointer) {
    return this.errors.filter((error) => error.pointer === pointer || error.pointer === `${pointer}/platform`).map((error) => error.message).join(" ");
  }

  /** A tuner or an assessor by its name. */
  algorithmField(key, all) {
    const chosen = this.model[key]?.name ?? "";
    const fault = this.faultAt("/" + key);
    const isOptional = key === "assessor";
    const names = [...(isOptional ? [""] : []), ...all.map((it) => it.name)];
    const shown = names.includes(chosen) ? names : [chosen, ...names];
    const choose = (name) => this.change({ [key]: name === "" ? undefined : { name } });
    const summary = all.find((it) => it.name === chosen)?.summary ?? (isOptional ? "Ends trials that are not worth going on with." : "");
    return html`<label class="field three"><span>${isOptional ? "Assessor" : "Tuner"}</span>
      <select name=${key} aria-invalid=${fault ? "true" : "false"} @change=${(event) => choose(event.target.value)}>
        ${isOptional ? shown.map((name) => option(name, chosen)) : this.byFit(shown, all, chosen)}
      </select>
      ${fault ? html`<span class="fault">${fault}</span>` : html`<small>${summary}</small>`}</label>`;
  }

  /** Those that take the search space first, the others with what they do not take. */
  byFit(names, all, chosen) {
    const refusals = new Map(all.map((it) => [it.name, refusalOf(it, this.model)]));
    const fit = names.filter((name) => !refusals.get(name));
    const unfit = names.filter((name) => refusals.get(name));
    return unfit.length === 0
      ? fit.map((name) => option(name, chosen))
      : html`<optgroup label="Take this search">${fit.map((name) => option(name, chosen))}</optgroup>
          <optgroup label="Do not take it">${unfit.map((name) => option(name, chosen, `${name}: ${refusals.get(name)}`))}</optgroup>`;
  }

  entries() {
    return Object.entries(this.model.searchSpace ?? {});
  }

  entry(name, entry, at) {
    const fault = this.faultAt("/searchSpace" + pointerStep(name));
    return spaceRow(name, entry, at, (...changes) => this.replace(...changes), fault);
  }

  /** @param name null removes the entry */
  replace(at, name, entry) {
    const entries = this.entries();
    entries.splice(at, 1, ...(name === null ? [] : [[name, entry]]));
    this.change({ searchSpace: Object.fromEntries(entries) });
  }

  addEntry() {
    const taken = new Set(Object.keys(this.model.searchSpace ?? {}));
    let n = taken.size + 1;
    while (taken.has(`parameter_${n}`)) {
      n++;
    }
    this.change({ searchSpace: { ...this.model.searchSpace, [`parameter_${n}`]: { _type: "uniform", _value: [0, 1] } } });
  }
}

define("config-form", ConfigForm);
