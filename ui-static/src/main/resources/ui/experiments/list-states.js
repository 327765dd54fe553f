// The list when there is nothing in it, or not yet.
import { html } from "lit";
import { icon } from "../kit/icons.js";

export const loadingRows = () => html`<div class="card" role="status" aria-label="Loading">
  ${[70, 45, 60, 52, 38].map((width) => html`<div class="bone-row"><span class="bone w${width}"></span></div>`)}
</div>`;

export const emptyList = () => html`<div class="card state">
  <svg class="drawing" viewBox="0 0 120 76" aria-hidden="true">
    <ellipse cx="60" cy="38" rx="54" ry="24" transform="rotate(-12 60 38)" /><ellipse cx="60" cy="38" rx="33" ry="14" transform="rotate(-12 60 38)" />
    <circle cx="60" cy="38" r="6" /><circle cx="109" cy="22" r="4" /><circle cx="30" cy="47" r="3" />
  </svg>
  <h2>No experiments yet</h2>
  <p>An experiment is a search space, a command that trains, and a tuner that chooses what to try next. Configurations written for NNI work as they are.</p>
  <a class="button primary" href="#/new">${icon("add")}New experiment</a>
  <p class="small">or from a shell: <code>orrery experiment create experiment.yml</code></p>
</div>`;
