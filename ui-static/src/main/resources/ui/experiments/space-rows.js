// The search space as rows: a name, a type and values for each parameter, with a picture of what they amount to.
import { html, nothing, svg } from "lit";
import { icon } from "../kit/icons.js";
import { distributionOf, inWords } from "./distribution.js";

export const TYPES = {
  choice: "relu, gelu, tanh",
  uniform: "low, high",
  loguniform: "low, high",
  randint: "low, high (not included)",
  quniform: "low, high, step",
  qloguniform: "low, high, step",
  normal: "mean, deviation",
  lognormal: "mean, deviation",
  qnormal: "mean, deviation, step",
  qlognormal: "mean, deviation, step",
};

/** What stands there when a type is chosen and the values before do not suit it. */
const STANDARD = {
  choice: ["a", "b"],
  uniform: [0, 1],
  loguniform: [0.0001, 0.1],
  randint: [1, 10],
  quniform: [0, 1, 0.1],
  qloguniform: [1, 256, 1],
  normal: [0, 1],
  lognormal: [0, 1],
  qnormal: [0, 10, 1],
  qlognormal: [0, 1, 0.1],
};

/** The entry with another type; its values stay where they make a distribution of that type. */
export function ofType(entry, type) {
  const kept = { ...entry, _type: type };
  const needed = STANDARD[type].length;
  const isRight = type === "choice" ? (entry._value?.length ?? 0) > 0 : distributionOf(kept) !== null && kept._value.length === needed;
  const isOne = type === "randint" && entry._value?.[1] - entry._value?.[0] === 1;
  return isRight && !isOne ? kept : { ...entry, _type: type, _value: STANDARD[type] };
}

/** "0.1, 1e-3, relu" as values: JSON where it is JSON, text otherwise. */
export function readValues(text) {
  try {
    return JSON.parse(`[${text}]`);
  } catch {
    return text.split(",").map((part) => part.trim()).filter(Boolean).map(readOne);
  }
}

function readOne(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }
}

export const showValues = (values) => (values ?? []).map((value) => (typeof value === "string" && !value.includes(",") ? value : JSON.stringify(value))).join(", ");

const WIDTH = 120;
const HEIGHT = 28;

/** Bars of the shares of values; null while the values are not right. */
function picture(entry) {
  const distribution = distributionOf(entry);
  if (distribution === null) {
    return nothing;
  }
  const { bars, labels } = distribution;
  const [low, high] = [bars[0].from, bars.at(-1).to];
  const most = Math.max(...bars.map((bar) => bar.share / (bar.to - bar.from)));
  const x = (value) => ((value - low) / (high - low)) * WIDTH;
  return html`<span class="distribution"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Distribution: ${inWords(entry)}">${bars.map((bar) => {
    const height = (bar.share / (bar.to - bar.from) / most) * HEIGHT;
    const gap = bars.length < 30 ? 1 : 0;
    return svg`<rect x=${x(bar.from) + gap / 2} y=${HEIGHT - height} width=${Math.max(0.5, x(bar.to) - x(bar.from) - gap)} height=${height}/>`;
  })}</svg><small class="faint">${labels[0]} … ${labels[1]}: ${inWords(entry)}</small></span>`;
}

/** @param replace takes the place, the new name (null takes the entry away) and the new entry */
export const spaceRow = (name, entry, at, replace, fault) => html`<div class="space-row" role="group" aria-label="Parameter ${name}">
  <input aria-label="Name" placeholder="name" spellcheck="false" .value=${name} @change=${(event) => replace(at, event.target.value.trim(), entry)}>
  <select aria-label="Type" @change=${(event) => replace(at, name, ofType(entry, event.target.value))}>
    ${Object.keys(TYPES).map((type) => html`<option ?selected=${type === entry._type}>${type}</option>`)}
  </select>
  <input aria-label="Values" spellcheck="false" placeholder=${TYPES[entry._type] ?? ""} title=${TYPES[entry._type] ?? ""} aria-invalid=${fault ? "true" : "false"}
    .value=${showValues(entry._value)} @change=${(event) => replace(at, name, { ...entry, _value: readValues(event.target.value) })}>
  <button type="button" class="plain square" aria-label="Remove ${name}" @click=${() => replace(at, null)}>${icon("close")}</button>
  ${fault ? html`<span class="fault">${fault}</span>` : picture(entry)}
</div>`;
