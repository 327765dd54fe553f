// Line drawings on a grid of 16, in the colour of the text around them.
import { svg, html } from "lit";

const PATHS = {
  add: svg`<path d="M8 3v10M3 8h10"/>`,
  arrange: svg`<path d="M2.5 6.5h4v3h-4zM9.5 2.5h4v3h-4zM9.5 10.5h4v3h-4zM6.5 8c2 0 1-4 3-4M6.5 8c2 0 1 4 3 4"/>`,
  check: svg`<path d="m3 8.5 3.2 3L13 4.5"/>`,
  close: svg`<path d="m4 4 8 8M12 4l-8 8"/>`,
  columns: svg`<path d="M2.5 3h11v10h-11zM6.2 3v10M9.9 3v10"/>`,
  copy: svg`<path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/>`,
  download: svg`<path d="M8 2.5v8M4.8 7.5 8 10.7l3.2-3.2M3 13.5h10"/>`,
  curve: svg`<path d="M2.5 2.5v11h11M4.5 11c2.5 0 2.5-6 5-6s2 3 4 3"/>`,
  down: svg`<path d="m4 6 4 4 4-4"/>`,
  filter: svg`<path d="M2.5 4h11M4.5 8h7M6.5 12h3"/>`,
  fork: svg`<path d="M4.5 5.5v5M4.5 8c4 0 7 0 7-2.5"/><circle cx="4.5" cy="3.8" r="1.6"/><circle cx="4.5" cy="12.2" r="1.6"/><circle cx="11.5" cy="3.8" r="1.6"/>`,
  kill: svg`<circle cx="8" cy="8" r="5.5"/><path d="m6 6 4 4M10 6l-4 4"/>`,
  moon: svg`<path d="M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z"/>`,
  more: svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2"/>`,
  next: svg`<path d="m6 4 4 4-4 4"/>`,
  person: svg`<circle cx="8" cy="5.5" r="2.8"/><path d="M2.8 13.5c.6-3 2.6-4.2 5.2-4.2s4.6 1.2 5.2 4.2"/>`,
  pause: svg`<path d="M5.5 3.5v9M10.5 3.5v9"/>`,
  play: svg`<path d="M5 3.2v9.6L12.5 8z"/>`,
  terminal: svg`<path d="M3 4l4 4-4 4M8.5 12.5H13"/>`,
  previous: svg`<path d="m10 4-4 4 4 4"/>`,
  redo: svg`<path d="M10 3.5 13 6.5l-3 3M13 6.5H6a3.2 3.2 0 0 0 0 6.4h3"/>`,
  retry: svg`<path d="M12.9 6.2A5.3 5.3 0 1 0 13.3 9M13.3 3v3.4H9.9"/>`,
  search: svg`<circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3.3 3.3"/>`,
  stop: svg`<path d="M4 4h8v8H4z"/>`,
  sun: svg`<circle cx="8" cy="8" r="2.8"/><path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1"/>`,
  system: svg`<path d="M2.5 3.5h11v7.5h-11zM6 13.5h4"/>`,
  trash: svg`<path d="M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9"/>`,
  undo: svg`<path d="M6 3.5 3 6.5l3 3M3 6.5h7a3.2 3.2 0 0 1 0 6.4H7"/>`,
  up: svg`<path d="m4 10 4-4 4 4"/>`,
  warning: svg`<path d="M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1"/>`,
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${PATHS[name]}</svg>`;
