// The user's own TensorBoard: started for the ticked trials, listed while it runs, stopped.
import { html, nothing } from "lit";
import { tensorBoards } from "../api.js";
import { time } from "../kit/format.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

class TensorBoardMenu extends Piece {
  static properties = {
    store: { attribute: false },
    selection: { attribute: false },
    boards: { state: true },
    isStarting: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    this.boards = [];
    this.isStarting = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "reload", () => this.load());
    this.listen(this.selection, "change", () => this.requestUpdate());
    this.load();
  }

  async load() {
    await this.attempt(async () => (this.boards = (await tensorBoards.list(this.store.id)).items));
  }

  async start() {
    this.isStarting = true;
    await this.attempt(async () => {
      const board = await tensorBoards.start(this.store.id, this.selection.trials);
      this.boards = [...this.boards, board];
    });
    this.isStarting = false;
  }

  async stop(board) {
    await this.attempt(() => tensorBoards.stop(this.store.id, board.id));
    await this.load();
  }

  async attempt(action) {
    try {
      await action();
      this.failure = null;
    } catch (refusal) {
      this.failure = refusal;
    }
  }

  render() {
    const { boards } = this;
    const ticked = this.selection.size;
    return html`<details class="menu boards" @toggle=${(event) => event.target.open && this.load()}>
      <summary class="button ${ticked > 0 ? "" : "plain"}" role="button">${icon("curve")}TensorBoard${boards.length > 0
        ? html` <span class="badge">${boards.length}</span>` : nothing}</summary>
      <div class="list">
        ${boards.length > 0 ? html`<ul>${boards.map((board) => this.line(board))}</ul>` : nothing}
        ${boards.length > 0 && !LOCAL.includes(location.hostname) ? this.fromAfar(boards[0].port) : nothing}
        ${this.failure ? html`<p class="fault" role="alert">${this.failure.message}</p>` : nothing}
        <footer>
          ${this.isStarting
            ? html`<span class="toolbar small soft" role="status"><span class="spinner"></span>Starting; this takes a few seconds.</span>`
            : html`<button type="button" class="small ${ticked > 0 ? "primary" : ""}" ?disabled=${ticked === 0}
                @click=${this.start}>${icon("play")}${ticked === 0 ? "Start" : `Start for ${ticked} ticked`}</button>
              ${ticked === 0 ? html`<span class="faint small">Tick the trials that it shall show.</span>` : nothing}`}
        </footer>
      </div>
    </details>`;
  }

  line(board) {
    const many = board.trials.length;
    return html`<li>
      <a href=${board.url} target="_blank" rel="noopener" title=${board.trials.join(", ")}>Port ${board.port}</a>
      <span class="faint small">${many} trial${many === 1 ? "" : "s"}, since ${time(board.startedAt)}</span>
      <button type="button" class="plain small" aria-label="Stop the TensorBoard at port ${board.port}"
        @click=${() => this.stop(board)}>${icon("stop")}Stop</button>
    </li>`;
  }

  /** It serves the machine that it runs on alone; where callers are asked, its path is a secret. */
  fromAfar(port) {
    return html`<p class="faint small">It listens on the server's machine only. From yours:
      <code>ssh -L ${port}:127.0.0.1:${port} ${location.hostname}</code></p>`;
  }
}

define("tensorboard-menu", TensorBoardMenu);
