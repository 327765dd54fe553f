// How the requests of a host are divided among services, as a bar.
import { html } from "lit";
import { styled } from "../kit/styled.js";
import { seriesColour, swatch } from "../kit/swatch.js";

/** @param backends [{service, percent}] */
export const shareBar = (backends) => html`<div class="share-bar">
  <div class="bar" aria-hidden="true">${backends.map(
    ({ service, percent }, at) => html`<i title="${service} ${percent} %" ${styled({ flexGrow: percent, background: seriesColour(at) })}></i>`,
  )}</div>
  <div class="parts small">${backends.map(
    ({ service, percent }, at) => html`<span>${swatch(at)}${service} <b class="number">${percent} %</b></span>`,
  )}</div>
</div>`;
