// When each trial ran: a bar from its start to its end, in the colour of what became of it.
import { html } from "lit";
import { count, duration, time } from "../kit/format.js";
import { Piece, define } from "../kit/piece.js";
import { isLive, statusTone, statusWord } from "../kit/status.js";
import { setQuery } from "../shell/router.js";
import { axis, label, tooltip, zoom } from "../charts/chart.js";
import { lanes } from "./lanes.js";
import { StoreChart } from "./store-chart.js";

const SECOND_MS = 1000;
const FILL = 0.7;
/** Few bars at once are no taller than a line of text. */
const LEAST_LANES = 14;

class TimelineChart extends StoreChart {
  attend(canvas) {
    canvas.on("click", (at) => at.data?.row && this.tell("trial", at.data.row.trial));
  }

  bars() {
    const bars = (this.store.points?.rows ?? [])
      .filter((row) => row.startedAt)
      .map((row) => {
        const from = Date.parse(row.startedAt);
        const to = row.duration !== null && row.duration !== undefined ? from + row.duration * SECOND_MS : isLive(row.status) ? Date.now() : from;
        return { row, from, to };
      })
      .sort((a, b) => a.from - b.from);
    const places = lanes(bars.map(({ from, to }) => [from, to]));
    return bars.map((bar, at) => ({ ...bar, lane: places[at] }));
  }

  option(tones) {
    const bars = this.bars();
    if (bars.length === 0) {
      return null;
    }
    const most = bars.reduce((top, bar) => Math.max(top, bar.lane), 0) + 1;
    return {
      grid: { left: 8, right: 24, top: 12, bottom: 8, containLabel: true },
      xAxis: axis(tones, { type: "time", axisLabel: label(tones, undefined) }),
      yAxis: axis(tones, { type: "value", min: 0, max: Math.max(LEAST_LANES, most), minInterval: 1, inverse: true, splitLine: { show: false }, axisLabel: { show: false } }),
      dataZoom: zoom(),
      tooltip: tooltip(tones, ({ data }) => [[`No. ${data.row.sequenceId} · ${data.row.trial}`, statusWord(data.row.status)], ["started", time(data.row.startedAt)], ["ran", duration((data.value[2] - data.value[1]) / SECOND_MS)]], { trigger: "item" }),
      series: [
        {
          type: "custom",
          encode: { x: [1, 2], y: 0 },
          data: bars.map(({ row, from, to, lane }) => ({ value: [lane, from, to], row, itemStyle: { color: row.status === "SUCCEEDED" ? tones.middle : tones[statusTone(row.status)] } })),
          renderItem: (params, api) => {
            const [left, top] = api.coord([api.value(1), api.value(0)]);
            const [right] = api.coord([api.value(2), api.value(0)]);
            const height = api.size([0, 1])[1];
            return {
              type: "rect",
              shape: { x: left, y: top + (height * (1 - FILL)) / 2, width: Math.max(2, right - left), height: Math.max(1, height * FILL), r: 2 },
              style: api.style(),
            };
          },
          cursor: "pointer",
        },
      ],
    };
  }

  render() {
    return this.plot("When each trial ran", "Bars appear here when trials have started. Imported trials have no time.", "high");
  }
}

class TimelineView extends Piece {
  static properties = { store: { attribute: false } };

  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "points", () => this.requestUpdate());
  }

  render() {
    const { points } = this.store;
    return html`<section class="card"><header><h2>Timeline</h2>
      <span class="legend"><i class="dot"></i>succeeded <i class="dot bad"></i>failed <i class="dot warn"></i>stopped early <i class="dot busy"></i>running</span></header>
      <timeline-chart .store=${this.store} @trial=${(event) => setQuery({ trial: event.detail }, { step: true })}></timeline-chart>
      ${points?.isSample ? html`<p class="faint small">${count(points.rows.length)} of ${count(points.total)} trials drawn.</p>` : ""}
    </section>`;
  }
}

define("timeline-chart", TimelineChart);
define("timeline-view", TimelineView);
