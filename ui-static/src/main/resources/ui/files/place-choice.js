// A choice between the files on the server and those of the notebooks of the person that run in pods.
import { html, nothing } from "lit";
import { files } from "../api/files.js";
import { Piece, define } from "../kit/piece.js";
import { Poll } from "../kit/poll.js";
import { setQuery } from "../shell/router.js";
import { rootOf } from "./place.js";

const PAUSE_MS = 30_000;
const SERVER = "";

const valueOf = ({ notebook, archive }) => (notebook === null ? SERVER : `${notebook} ${archive}`);

class PlaceChoice extends Piece {
  static properties = { place: {} };

  constructor() {
    super();
    this.poll = new Poll(this, () => files.places(this.place.user), { pauseMs: PAUSE_MS, about: () => this.place.user });
  }

  choose(value) {
    const [notebook, archive] = value.split(" ");
    setQuery({ notebook, archive: archive === "true" ? archive : null, path: null, file: null }, { step: true });
  }

  render() {
    const others = (this.poll.answer?.items ?? []).map((item) => ({ ...item, user: this.place.user }));
    const chosen = valueOf(this.place);
    // One that was stopped meanwhile stays, so that the page says what it shows.
    if (chosen !== SERVER && !others.some((each) => valueOf(each) === chosen)) {
      others.push(this.place);
    }
    return others.length === 0
      ? nothing
      : html`<div class="toolbar filters"><select aria-label="Place" @change=${(event) => this.choose(event.target.value)}>
          <option value=${SERVER} ?selected=${chosen === SERVER}>on the server</option>
          ${others.map((each) => html`<option value=${valueOf(each)} ?selected=${valueOf(each) === chosen}>${rootOf(each)} in ${each.notebook}</option>`)}
        </select></div>`;
  }
}

define("place-choice", PlaceChoice);
