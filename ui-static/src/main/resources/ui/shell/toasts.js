// Short messages after an action, read out by screen readers.
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Piece, define } from "../kit/piece.js";
import { icon } from "../kit/icons.js";

/** Long enough to be read; the clock begins anew when the pointer or the focus leaves the message. */
const STAY_MS = { good: 5000, bad: 15_000 };
const bus = new EventTarget();

/** @param tone good or bad; a bad one stays longer */
export function toast(text, tone = "good") {
  bus.dispatchEvent(new CustomEvent("toast", { detail: { text, tone } }));
}

/** Runs an action and tells what became of it; answers with null after a refusal. */
export async function attempt(action, done) {
  try {
    const result = await action();
    if (done) {
      toast(done);
    }
    return result;
  } catch (refusal) {
    toast([refusal.message, ...(refusal.errors ?? []).map((error) => error.message)].filter((part, at, all) => all.indexOf(part) === at).join(" "), "bad");
    return null;
  }
}

/** The same for what a poll shows, which asks anew when it went well; answers whether it did. */
export async function attemptAnew(poll, action, done) {
  const isDone = (await attempt(async () => (await action(), true), done)) === true;
  if (isDone) {
    poll.now();
  }
  return isDone;
}

class ToastList extends Piece {
  static properties = { toasts: { state: true } };

  #timers = new Map();

  constructor() {
    super();
    this.toasts = [];
  }

  connectedCallback() {
    super.connectedCallback();
    this.listen(bus, "toast", ({ detail }) => this.add(detail));
  }

  add(toast) {
    this.toasts = [...this.toasts.slice(-3), toast];
    this.count(toast);
  }

  /** Begins the time after which a message goes. */
  count(toast) {
    this.hold(toast);
    this.#timers.set(toast, setTimeout(() => this.remove(toast), STAY_MS[toast.tone]));
  }

  /** A message that is being read stays. */
  hold(toast) {
    clearTimeout(this.#timers.get(toast));
    this.#timers.delete(toast);
  }

  remove(toast) {
    this.hold(toast);
    this.toasts = this.toasts.filter((other) => other !== toast);
  }

  render() {
    return html`<div class="toasts" role="status">
      ${repeat(
        this.toasts,
        (toast) => toast,
        (toast) => html`<div class="toast ${toast.tone}" @pointerenter=${() => this.hold(toast)} @pointerleave=${() => this.count(toast)}
          @focusin=${() => this.hold(toast)} @focusout=${() => this.count(toast)}>
          <span>${toast.text}</span>
          <button type="button" class="plain square" aria-label="Close the message"
            @click=${() => this.remove(toast)}>${icon("close")}</button>
        </div>`,
      )}
    </div>`;
  }
}

define("toast-list", ToastList);
