// How the requests of a host are divided among services, as a bar.
import { html } from "lit";
import { styled } from "../kit/styled.js";

const SERIES = 8;

const colour = (at) => `var(--series-${(at % SERIES) + 1})`;

/** @param backends [{service, percent}] */
export const shareBar = (backends) => html`<div class="share-bar">
  <div class="bar" aria-hidden="true">${backends.map(
    ({ service, percent }, at) => html`<i title="${service} ${percent} %" ${styled({ flexGrow: percent, background: colour(at) })}></i>`,
  )}</div>
  <div class="parts small">${backends.map(
    ({ service, percent }, at) => html`<span><i class="swatch" ${styled({ background: colour(at) })}></i>${service} <b class="number">${percent} %</b></span>`,
  )}</div>
</div>`;
