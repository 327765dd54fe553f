// The platforms that share the trials of one experiment, as groups of a form. In a configuration they are a list in
// place of the section, or the key `services` of `platform: hybrid`; the form keeps whichever it was.
import { html, nothing } from "lit";
import { icon } from "../kit/icons.js";
import { option } from "./further-settings.js";
import { optionFields } from "./option-fields.js";

/** The platform that stands for several. */
export const SEVERAL = "hybrid";

/** What each of several platforms may have beside its own keys. */
const SHARE = [
  option("name", "text", "what it is called; the platform when it is not set"),
  option("weight", "number", "its share among those that could start a trial equally soon", { default: 1 }),
  option("capacity", "whole number", "the most trials there at once"),
];

export const isSeveral = (service) => Array.isArray(service) || service?.platform === SEVERAL;

const servicesOf = (service) => (Array.isArray(service) ? service : (service.services ?? []));

/** A section that becomes several: with what it was as the first of them. */
export const severalOf = (service) => (isSeveral(service) ? service : [{ platform: "local", ...service }]);

/**
 * @param service the section trainingService
 * @param platforms names of those that there are
 * @param keysOf the options of one, by its name
 * @param change takes the section as it is then
 * @param faultAt says what is wrong at a JSON pointer and below it
 */
export function serviceRows({ service, platforms, keysOf, change, faultAt }) {
  const all = servicesOf(service);
  const at = Array.isArray(service) ? "/trainingService" : "/trainingService/services";
  const put = (list) => change(Array.isArray(service) ? list : { ...service, services: list });
  return html`<fieldset class="group services-form" data-list="services">
    <legend><h2>Platforms</h2></legend>
    ${all.map((one, n) => element({ one, n, platforms, keysOf, faultAt, at: `${at}/${n}`, isOnly: all.length === 1, put: (...changed) => put(all.toSpliced(n, 1, ...changed)) }))}
    <p><button type="button" class="small" @click=${() => put([...all, { platform: "local" }])}>${icon("add")}Platform</button></p>
    <p class="faint small">A trial goes where it can start soonest.</p>
  </fieldset>`;
}

function element({ one, n, platforms, keysOf, faultAt, at, isOnly, put }) {
  const platform = one.platform ?? "";
  const names = [...new Set([...platforms, platform])].filter(Boolean);
  const move = (name) => put({ platform: name, ...Object.fromEntries(SHARE.filter((share) => one[share.name] !== undefined).map((share) => [share.name, one[share.name]])) });
  const fault = faultAt(`${at}/platform`);
  return html`<div class="element" role="group" aria-label="Platform ${n + 1}">
    <button type="button" class="plain square small" aria-label="Remove platform ${n + 1}" ?disabled=${isOnly} @click=${() => put()}>${icon("close")}</button>
    <div class="options stack"><label class="field"><span>Platform</span>
      <select data-option="platform" aria-invalid=${fault ? "true" : "false"} @change=${(event) => move(event.target.value)}>
        ${names.map((name) => html`<option ?selected=${name === platform}>${name}</option>`)}
      </select>${fault ? html`<span class="fault">${fault}</span>` : nothing}</label>
    ${optionFields([...SHARE, ...keysOf(platform)], one, (changed) => put({ platform, ...changed }), faultAt, at)}</div>
  </div>`;
}
