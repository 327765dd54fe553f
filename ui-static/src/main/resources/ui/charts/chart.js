// What every chart is: a canvas of ECharts in the colours of the page, drawn again when the page
// changes its theme or its size. The library is loaded when the first chart is.
import { html, nothing } from "lit";
import { Piece } from "../kit/piece.js";
import { theme } from "../shell/theme.js";
import { colours } from "./palette.js";

let library = null;

const load = () => (library ??= import("echarts"));

export class Chart extends Piece {
  static properties = { store: { attribute: false }, isEmpty: { state: true }, broken: { state: true } };

  #canvas = null;
  #echarts = null;
  #resize = null;

  connectedCallback() {
    super.connectedCallback();
    this.listen(theme, "change", () => this.draw());
    this.keep(() => this.#dispose());
    if (this.hasUpdated) {
      this.#begin();
    }
  }

  firstUpdated() {
    this.#begin();
  }

  async #begin() {
    try {
      this.#echarts = await load();
    } catch {
      this.broken = true;
      return;
    }
    if (this.isConnected) {
      this.draw();
    }
  }

  #dispose() {
    this.#resize?.disconnect();
    if (this.#canvas) {
      // ECharts paints many points in several frames; without an end of that the next one would find no layers.
      this.#canvas.clear();
      this.#canvas.getZr().flush();
      this.#canvas.dispose();
      this.#canvas = null;
    }
  }

  /** The chart's description, or null when there is nothing to draw. Subclasses answer. */
  option(_colours) {
    return null;
  }

  /** Called once for each new canvas, to listen to it. */
  attend(_canvas) {}

  get canvas() {
    return this.#canvas;
  }

  /** @param isLate whether the canvas may wait for the next frame, as it should unless something acts on it at once */
  draw(isLate = true) {
    if (!this.#echarts || !this.isConnected) {
      return;
    }
    const tones = colours(this);
    const option = this.option(tones);
    this.isEmpty = option === null;
    if (option === null) {
      this.#dispose();
      return;
    }
    const place = this.querySelector(".canvas");
    if (!this.#canvas) {
      place.hidden = false;
      this.#canvas = this.#echarts.init(place, null, { renderer: "canvas" });
      this.attend(this.#canvas);
      this.#resize = new ResizeObserver(() => this.#canvas?.resize());
      this.#resize.observe(place);
    }
    this.#canvas.setOption({ ...frame(tones, place), ...option }, { notMerge: true, lazyUpdate: isLate });
  }

  /** The place for the canvas; `says` describes the chart to those who do not see it. */
  plot(says, empty = "Nothing to draw yet.", size = "") {
    return html`
      <div class="canvas ${size}" role="img" aria-label=${says} ?hidden=${this.isEmpty || this.broken}></div>
      ${this.broken ? html`<p
        class="hollow soft small">The drawing library could not be loaded. Reload the page to try again.</p>` : this.isEmpty ? html`<p class="hollow soft small">${empty}</p>` : nothing}
    `;
  }
}

function frame(tones, place) {
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(place).fontFamily, color: tones.soft, fontSize: 12 },
    backgroundColor: "transparent",
    color: tones.series,
  };
}

/** The words along an axis. */
export const label = (tones, formatter) => ({ color: tones.faint, fontSize: 11, hideOverlap: true, formatter });

/** A value axis in the page's manner. */
export const axis = (tones, more = {}) => ({
  axisLine: { show: false },
  axisTick: { show: false },
  axisLabel: { color: tones.faint, fontSize: 11, hideOverlap: true },
  splitLine: { lineStyle: { color: tones.line } },
  nameTextStyle: { color: tones.faint, fontSize: 11 },
  ...more,
});

const word = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });

/** The content of a box at the pointer: pairs of a name and a value, the first of them the heading. */
export function tooltipBox(lines) {
  const box = document.createElement("div");
  box.className = "tip";
  for (const [name, value] of lines) {
    const row = box.appendChild(document.createElement("div"));
    row.append(word("span", name), word("b", value));
  }
  return box;
}

/**
 * The box at the pointer. Its content is made of elements, not of text with styles in it, which
 * the page's security policy refuses (and which a parameter's value could break out of).
 */
export const tooltip = (tones, lines, more = {}) => ({
  confine: true,
  backgroundColor: tones.raised,
  borderColor: tones.line,
  textStyle: { color: tones.text, fontSize: 12 },
  extraCssText: "box-shadow:none;border-radius:8px",
  formatter: (at) => tooltipBox(lines(at)),
  ...more,
});

/** Zoom by wheel or by drag, on the x axis. */
export const zoom = (more = {}) => [{ type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false, ...more }];
