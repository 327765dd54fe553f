// The tasks of a pipeline as a picture, with the state of a run when one is given. Arrow keys move from task to task.
import { html, svg, nothing } from "lit";
import { Piece, define } from "../kit/piece.js";
import { statusTone, statusWord } from "../kit/status.js";
import { layout } from "./graph.js";
import { progressOf, statusOf, stepsOf } from "./task-state.js";

const WIDTH = 176;
const HEIGHT = 52;
const GAP_X = 56;
const GAP_Y = 20;
const EDGE = 12;
const SHOWN_CHARACTERS = 21;

class PipelineGraph extends Piece {
  static properties = { tasks: { attribute: false }, run: { attribute: false }, chosen: {} };

  willUpdate(changed) {
    if (changed.has("tasks")) {
      this.picture = layout(this.tasks);
    }
  }

  choose(name) {
    this.tell("choose", name);
  }

  onKey(event, node) {
    const { nodes } = this.picture;
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      this.choose(node.name);
    } else if (step) {
      const [right, down] = step;
      const near = nodes
        .filter((other) => (right ? Math.sign(other.layer - node.layer) === right : other.layer === node.layer && Math.sign(other.place - node.place) === down))
        .sort((a, b) => distance(a, node) - distance(b, node))[0];
      if (near) {
        this.querySelector(`[data-task="${CSS.escape(near.name)}"]`).focus();
      }
    } else {
      return;
    }
    event.preventDefault();
  }

  render() {
    const { nodes, edges, layers, places } = this.picture;
    const width = layers * (WIDTH + GAP_X) - GAP_X + 2 * EDGE;
    const height = places * (HEIGHT + GAP_Y) - GAP_Y + 2 * EDGE;
    const byName = new Map(nodes.map((node) => [node.name, node]));
    return html`<div class="graph" tabindex="-1"><svg viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="group" aria-label="Tasks of the pipeline">
      <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
      ${edges.map(({ from, to }) => edge(byName.get(from), byName.get(to), this.run))}
      ${nodes.map((node, at) => this.node(node, at))}
    </svg></div>`;
  }

  node(node, at) {
    const steps = stepsOf(this.run, node.name);
    const status = statusOf(steps);
    const words = [node.name, status === null ? kindOf(node.task) : statusWord(status), progressOf(steps)].filter(Boolean);
    return svg`<g class="task ${status === null ? "" : statusTone(status)} ${this.chosen === node.name ? "chosen" : ""}" data-task=${node.name}
      data-status=${status ?? nothing} transform="translate(${x(node)} ${y(node)})" role="button" tabindex=${at === 0 ? 0 : -1} aria-label=${words.join(", ")}
      aria-pressed=${this.chosen === node.name} @click=${() => this.choose(node.name)} @keydown=${(event) => this.onKey(event, node)}>
      <rect width=${WIDTH} height=${HEIGHT} rx="8"/>
      <circle class="dot" cx="16" cy="18" r="4"/>
      <text class="name" x="28" y="22">${clipped(node.name)}<title>${node.name}</title></text>
      <text class="what" x="28" y="40">${[status === null ? kindOf(node.task) : statusWord(status), progressOf(steps)].filter(Boolean).join(" · ")}</text>
    </g>`;
  }
}

const x = (node) => EDGE + node.layer * (WIDTH + GAP_X);
const y = (node) => EDGE + node.place * (HEIGHT + GAP_Y);
const distance = (a, b) => Math.abs(a.layer - b.layer) * 3 + Math.abs(a.place - b.place);
const clipped = (name) => (name.length > SHOWN_CHARACTERS ? name.slice(0, SHOWN_CHARACTERS - 1) + "…" : name);

const kindOf = (task) => {
  if (task.template) {
    return `template ${task.template}`;
  }
  return ["experiment", "model", "service"].find((kind) => kind in task) ?? "command";
};

function edge(from, to, run) {
  const [x1, y1, x2, y2] = [x(from) + WIDTH, y(from) + HEIGHT / 2, x(to) - 2, y(to) + HEIGHT / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  const isPassed = statusTone(statusOf(stepsOf(run, from.name)) ?? "") === "good";
  return svg`<path class="edge ${isPassed ? "passed" : ""}" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" marker-end="url(#arrow)"/>`;
}

define("pipeline-graph", PipelineGraph);
