// All runs.
import { html } from "lit";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";
import "./runs-list.js";

class RunsPage extends Piece {
  connectedCallback() {
    super.connectedCallback();
    document.title = "Runs · Orrery";
  }

  render() {
    return html`<div class="page-head"><h1>Runs</h1>
      <div class="end"><a class="button" href="#/pipelines">${icon("previous")}All pipelines</a></div></div>
      <runs-list></runs-list>`;
  }
}

define("runs-page", RunsPage);
