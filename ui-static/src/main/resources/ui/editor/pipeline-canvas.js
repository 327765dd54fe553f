// The plane on which a pipeline is drawn: tasks that are moved and connected with the pointer or with keys.
import { html, nothing, svg } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../kit/icons.js";
import { Piece, define } from "../kit/piece.js";
import { statusTone, statusWord } from "../kit/status.js";
import { progressOf, statusOf, stepsOf } from "../pipelines/task-state.js";
import { Gestures, curve, into, outOf } from "./canvas-gestures.js";
import { kindOf } from "./catalogue.js";
import { closedTo, edgesOf, refusalOf } from "./edges.js";
import { HEIGHT, WIDTH, bounds, nearest } from "./places.js";
import { fitted, moved, onPlane, showing, zoomed } from "./view.js";

const NAME_CHARACTERS = 20;
const KIND_CHARACTERS = 24;
const STEP = 20;
const ZOOM = 1.25;
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

class PipelineCanvas extends Piece {
  #view = { x: 32, y: 32, scale: 1 };

  static properties = {
    tasks: { attribute: false },
    places: { attribute: false },
    chosen: { attribute: false },
    edge: { attribute: false },
    faults: { attribute: false },
    run: { attribute: false },
    connecting: { state: true },
    hint: { state: true },
  };

  constructor() {
    super();
    this.connecting = null;
    this.hint = "";
    this.current = null;
    this.gestures = new Gestures(this);
    this.edges = [];
  }

  get view() {
    return this.#view;
  }

  /** Shows at once; nothing is drawn anew. */
  set view(view) {
    this.#view = view;
    const { width, height } = this.size;
    const [x, y] = onPlane(view, [0, 0]);
    this.querySelector("g.world").setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    this.querySelector(".scale").textContent = `${Math.round(view.scale * 100)} %`;
    const seen = this.querySelector(".minimap .seen");
    Object.entries({ x, y, width: width / view.scale, height: height / view.scale }).forEach(([name, value]) => seen.setAttribute(name, value));
  }

  get plane() {
    return this.querySelector("svg.plane");
  }

  get size() {
    const { width, height } = this.plane.getBoundingClientRect();
    return { width, height };
  }

  pointOf({ clientX, clientY }) {
    const { left, top } = this.plane.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  /** A point of the screen on the plane; null when the canvas is not there. */
  planeAt(point) {
    const [x, y] = this.pointOf(point);
    const { width, height } = this.size;
    return x < 0 || y < 0 || x > width || y > height ? null : onPlane(this.view, [x, y]);
  }

  get middle() {
    const { width, height } = this.size;
    return onPlane(this.view, [width / 2 - WIDTH / 2, height / 3]);
  }

  firstUpdated() {
    this.fit();
    // Lit listens passively to nothing, but a browser does to the wheel.
    this.plane.addEventListener("wheel", (event) => this.gestures.wheel(event), { passive: false });
    const watch = new ResizeObserver(() => (this.view = this.#view));
    watch.observe(this.plane);
    this.keep(() => watch.disconnect());
  }

  willUpdate(changed) {
    if (changed.has("tasks")) {
      this.edges = edgesOf(this.tasks);
    }
    if (this.current !== null && !this.places.has(this.current)) {
      this.current = null;
    }
  }

  fit() {
    this.view = fitted(bounds(this.places), this.size);
  }

  zoom(factor) {
    const { width, height } = this.size;
    this.view = zoomed(this.view, factor, [width / 2, height / 2]);
  }

  /** Puts the focus on a task, and the task in sight. */
  reach(name) {
    this.current = name;
    const [x, y] = this.places.get(name);
    this.view = showing(this.view, { x, y, width: WIDTH, height: HEIGHT }, this.size);
    this.updateComplete.then(() => this.nodeOf(name)?.focus({ preventScroll: true }));
  }

  nodeOf(name) {
    return this.querySelector(`g[data-task="${CSS.escape(name)}"]`);
  }

  // ---- what the pointer does -------------------------------------------------------------------

  click({ task, edge, adds }) {
    if (task !== null) {
      this.current = task;
      const names = adds ? new Set(this.chosen) : new Set([task]);
      if (adds && this.chosen.has(task)) {
        names.delete(task);
      } else {
        names.add(task);
      }
      this.tell("choose", names);
      this.nodeOf(task)?.focus({ preventScroll: true });
    } else if (edge !== null) {
      const [from, to] = edge.split(" ");
      this.tell("choose-edge", { from, to });
      this.plane.focus({ preventScroll: true });
    } else {
      this.tell("choose", new Set());
      this.plane.focus({ preventScroll: true });
    }
  }

  placeWhile(names, [dx, dy]) {
    const shifted = new Set(names);
    return (name) => {
      const [x, y] = this.places.get(name);
      return shifted.has(name) ? [x + dx, y + dy] : [x, y];
    };
  }

  shift(names, by) {
    const at = this.placeWhile(names, by);
    const shifted = new Set(names);
    names.forEach((name) => this.nodeOf(name)?.setAttribute("transform", `translate(${at(name).join(" ")})`));
    this.edges
      .filter(({ from, to }) => shifted.has(from) || shifted.has(to))
      .forEach(({ from, to }) => {
        const path = curve(outOf(at(from)), into(at(to)));
        this.querySelectorAll(`[data-edge="${CSS.escape(`${from} ${to}`)}"] path`).forEach((line) => line.setAttribute("d", path));
      });
  }

  drop(names, by) {
    const at = this.placeWhile(names, by);
    this.tell("moved", Object.fromEntries(names.map((name) => [name, at(name).map(Math.round)])));
  }

  /** Draws again what a gesture had moved. */
  abandon() {
    this.shift([...this.places.keys()], [0, 0]);
    this.drawFrame(null);
    this.stopConnecting();
  }

  beginEdge(from) {
    this.connecting = { from, closed: closedTo(this.tasks, from), over: null };
    this.hint = `Drop it on the task that waits for ${from}.`;
  }

  drawEdge(from, to, over) {
    const end = onPlane(this.view, to);
    this.querySelector(".draft").setAttribute("d", curve(outOf(this.places.get(from)), end));
    if (over !== this.connecting?.over) {
      this.connecting = { ...this.connecting, over };
      this.hint = over === null || over === from ? `Drop it on the task that waits for ${from}.` : (refusalOf(this.tasks, from, over) ?? `${over} will wait for ${from}.`);
    }
  }

  endEdge(from, to) {
    this.stopConnecting();
    if (to === null || to === from) {
      return;
    }
    const refusal = refusalOf(this.tasks, from, to);
    if (refusal === null) {
      this.hint = `${to} waits for ${from}.`;
      this.tell("connect", { from, to });
    } else {
      this.hint = refusal;
    }
    this.isRefused = refusal !== null;
  }

  stopConnecting() {
    this.connecting = null;
    this.hint = "";
    this.isRefused = false;
    this.querySelector(".draft").setAttribute("d", "");
  }

  drawFrame(from, to) {
    const frame = this.querySelector(".frame");
    const [[x1, y1], [x2, y2]] = from === null ? [[0, 0], [0, 0]] : [onPlane(this.view, from), onPlane(this.view, to)];
    for (const [name, value] of Object.entries({ x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) })) {
      frame.setAttribute(name, value);
    }
  }

  chooseIn(from, to) {
    this.drawFrame(null);
    const [[x1, y1], [x2, y2]] = [onPlane(this.view, from), onPlane(this.view, to)];
    const [left, right, top, bottom] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
    const inside = [...this.places].filter(([, [x, y]]) => x + WIDTH > left && x < right && y + HEIGHT > top && y < bottom).map(([name]) => name);
    this.tell("choose", new Set([...this.chosen, ...inside]));
  }

  // ---- what keys do ----------------------------------------------------------------------------

  onKey(event) {
    if (event.ctrlKey || event.metaKey) {
      return;
    }
    const name = event.target.closest("[data-task]")?.dataset.task ?? null;
    const arrow = ARROWS[event.key];
    if (arrow && name !== null) {
      if (event.altKey) {
        const names = this.chosen.has(name) ? [...this.chosen] : [name];
        this.drop(names, arrow.map((part) => part * STEP));
      } else {
        const next = nearest(this.places, name, arrow);
        if (next !== null) {
          this.reach(next);
          this.sayTarget(next);
        }
      }
    } else if (arrow) {
      this.view = moved(this.view, -4 * STEP * arrow[0], -4 * STEP * arrow[1]);
    } else if ((event.key === "Enter" || event.key === " ") && name !== null) {
      this.enter(name, event.key === " " || event.shiftKey);
    } else if (event.key === "c" && name !== null) {
      this.connecting = { from: name, closed: closedTo(this.tasks, name), over: null, byKey: true };
      this.isRefused = false;
      this.hint = `Which task waits for ${name}? Go there with the arrow keys and press Enter; Escape gives up.`;
    } else if (event.key === "Escape" && this.connecting) {
      this.stopConnecting();
    } else if ((event.key === "Delete" || event.key === "Backspace") && name !== null && !this.chosen.has(name)) {
      // The page deletes what is chosen when it hears the key.
      this.tell("choose", new Set([name]));
      return;
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(ZOOM);
    } else if (event.key === "-") {
      this.zoom(1 / ZOOM);
    } else if (event.key === "0") {
      this.fit();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  enter(name, adds) {
    if (this.connecting?.byKey) {
      this.endEdge(this.connecting.from, name);
      return;
    }
    const names = adds ? new Set(this.chosen) : new Set([name]);
    if (adds && names.has(name)) {
      names.delete(name);
    } else {
      names.add(name);
    }
    this.tell("choose", names);
    if (!adds) {
      this.tell("open-task", name);
    }
  }

  sayTarget(name) {
    if (this.connecting?.byKey) {
      const { from } = this.connecting;
      this.hint = name === from ? `Which task waits for ${from}?` : (refusalOf(this.tasks, from, name) ?? `Enter: ${name} waits for ${from}.`);
    }
  }

  // ---- drawing ---------------------------------------------------------------------------------

  updated() {
    this.view = this.#view;
  }

  render() {
    const first = this.current ?? this.tasks[0]?.name;
    return html`<div class="canvas ${this.connecting ? "connects" : ""}" @keydown=${this.onKey}>
      <svg class="plane" role="group" aria-label="Tasks of the pipeline" tabindex=${this.tasks.length === 0 ? 0 : -1}
        @pointerdown=${(event) => this.gestures.down(event)} @pointermove=${(event) => this.gestures.move(event)}
        @pointerup=${(event) => this.gestures.up(event)} @pointercancel=${(event) => this.gestures.up(event)}>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>
        </defs>
        <g class="world">
          ${repeat(this.edges, ({ from, to }) => `${from} ${to}`, (edge) => this.edgeOf(edge))}
          ${repeat(this.tasks, ({ name }) => name, (task) => this.task(task, task.name === first))}
          <path class="draft" d=""/><rect class="frame" x="0" y="0" width="0" height="0"/>
        </g>
      </svg>
      ${this.tasks.length === 0 ? html`<p class="empty soft">Drag a task here, or choose one and press Enter.</p>` : nothing}
      <p class="hint small ${this.isRefused ? "bad" : ""}" role="status">${this.hint}</p>
      <div class="zoom" role="group" aria-label="Zoom">
        <button type="button" class="square small" aria-label="Smaller" @click=${() => this.zoom(1 / ZOOM)}>−</button>
        <button type="button" class="small" aria-label="Show all" title="Show all" @click=${this.fit}><span class="scale"></span></button>
        <button type="button" class="square small" aria-label="Larger" @click=${() => this.zoom(ZOOM)}>${icon("add")}</button>
      </div>
      ${this.map()}
    </div>`;
  }

  edgeOf({ from, to, isUsed }) {
    const path = curve(outOf(this.places.get(from)), into(this.places.get(to)));
    const isChosen = this.edge?.from === from && this.edge?.to === to;
    const isPassed = statusTone(statusOf(stepsOf(this.run, from)) ?? "") === "good";
    return svg`<g class="edge ${isChosen ? "chosen" : ""} ${isPassed ? "passed" : ""} ${isUsed ? "used" : ""}" data-edge=${`${from} ${to}`}>
      <title>${to} waits for ${from}</title><path class="wide" d=${path}/><path class="line" d=${path} marker-end="url(#tip)"/></g>`;
  }

  task(task, isFirst) {
    const { name } = task;
    const steps = stepsOf(this.run, name);
    const status = statusOf(steps);
    const faults = this.faults.get(name) ?? [];
    const kind = kindOf(task);
    const about = status === null ? kind : [statusWord(status), progressOf(steps)].filter(Boolean).join(" · ");
    const closed = this.connecting !== null && this.connecting.closed.has(name);
    const classes = ["task", status === null ? "" : statusTone(status), this.chosen.has(name) ? "chosen" : "", faults.length > 0 ? "wrong" : "", closed ? "closed" : "", this.connecting?.over === name ? "over" : ""];
    return svg`<g class=${classes.filter(Boolean).join(" ")} data-task=${name} data-status=${status ?? nothing} transform="translate(${this.places.get(name).join(" ")})"
      role="button" tabindex=${isFirst ? 0 : -1} aria-pressed=${this.chosen.has(name)} aria-label=${[name, about, ...faults].join(", ")}
      @focus=${() => this.focused(name)}>
      <rect width=${WIDTH} height=${HEIGHT} rx="8"/>
      <circle class="dot" cx="16" cy="20" r="4"/>
      <text class="name" x="28" y="24">${clipped(name, NAME_CHARACTERS)}</text>
      <text class="what" x="28" y="42">${clipped(about, KIND_CHARACTERS)}</text>
      ${faults.length > 0 ? svg`<g class="badge" transform="translate(${WIDTH - 22} 10)"><path d="M7 0 14 12H0z"/><title>${faults.join("\n")}</title></g>` : nothing}
      <circle class="in" cx="0" cy=${HEIGHT / 2} r="4"/>
      <g class="out"><circle class="reach" cx=${WIDTH} cy=${HEIGHT / 2} r="14"/><circle class="port" cx=${WIDTH} cy=${HEIGHT / 2} r="6"/><title>Drag to the task that waits for ${name}</title></g>
    </g>`;
  }

  focused(name) {
    if (this.current !== name) {
      this.current = name;
      this.requestUpdate();
    }
  }

  map() {
    const all = bounds(this.places) ?? { x: 0, y: 0, width: WIDTH, height: HEIGHT };
    return html`<svg class="minimap" viewBox="${all.x - 40} ${all.y - 40} ${all.width + 80} ${all.height + 80}" aria-hidden="true"
      @pointerdown=${this.lookAt} @pointermove=${(event) => event.buttons === 1 && this.lookAt(event)}>
      ${[...this.places].map(([name, place]) => svg`<rect class="spot ${statusTone(statusOf(stepsOf(this.run, name)) ?? "")} ${this.chosen.has(name) ? "chosen" : ""}"
        x=${place[0]} y=${place[1]} width=${WIDTH} height=${HEIGHT} rx="10"/>`)}
      <rect class="seen"/>
    </svg>`;
  }

  lookAt(event) {
    const map = this.querySelector(".minimap");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const { width, height } = this.size;
    this.view = { ...this.view, x: width / 2 - point.x * this.view.scale, y: height / 2 - point.y * this.view.scale };
  }
}

const clipped = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

define("pipeline-canvas", PipelineCanvas);
