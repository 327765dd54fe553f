// A terminal beside the files of a person: in a notebook of theirs that runs, at the directory that is shown.
import { html, nothing } from "lit";
import { notebooks } from "../api/notebooks.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import "../terminal/workload-terminal.js";

const PAGE = 1000;
/** A page that is shown again asks at once, so that a notebook which was started meanwhile is there. */
const PAUSE_MS = 30_000;
const RUNNING = ["RUNNING", "IDLE"];

class FilesTerminal extends Piece {
  static properties = { place: {}, path: {}, chosen: { state: true } };

  constructor() {
    super();
    /** The name of the notebook that was chosen; null for the first. */
    this.chosen = null;
    this.poll = new Poll(this, () => notebooks.list({ limit: PAGE }), { pauseMs: PAUSE_MS });
  }

  render() {
    const { answer, failure } = this.poll;
    const own = (answer?.items ?? []).filter(({ owner, state }) => owner === this.place.user && RUNNING.includes(state.status));
    const { notebook } = this.place;
    const chosen = notebook === null ? (own.find(({ name }) => name === this.chosen) ?? own[0]) : own.find(({ name }) => name === notebook);
    return html`<section class="card below" aria-label="Terminal">
      <header><h2>Terminal</h2></header>
      <workload-terminal .workload=${chosen ? `notebook-${chosen.name}` : null} .line=${changeDirectory(this.place, this.path)}
        .words=${answer === null ? (failure?.message ?? html`<span class="spinner"></span>`) : words(chosen)}
        .choice=${own.length > 1 && notebook === null ? this.choice(own, chosen) : nothing}></workload-terminal>
    </section>`;
  }

  choice(own, chosen) {
    return html`<select aria-label="Notebook" @change=${(event) => (this.chosen = event.target.value)}>
      ${own.map(({ name }) => html`<option value=${name} ?selected=${name === chosen.name}>${name}</option>`)}</select>`;
  }
}

const words = (chosen) =>
  chosen
    ? `A shell in the notebook ${chosen.name}, at this directory. It ends with the notebook.`
    : html`A terminal runs in a notebook of yours, and none is running. <a href="#/notebooks">Start one</a>`;

/** The line that leads a shell to a directory; null for the one of the person, where it begins, and for a name that a terminal takes for keys. */
function changeDirectory({ archive }, path) {
  const root = archive ? "$ORRERY_ARCHIVES" : "$ORRERY_WORKSPACE";
  // eslint-disable-next-line no-control-regex
  return (path === "" && !archive) || /[\x00-\x1f\x7f]/.test(path) ? null : ` cd "${root}"/'${path.replaceAll("'", "'\\''")}'`;
}

define("files-terminal", FilesTerminal);
