// How long each trial took.
import { html } from "lit";
import { count, duration } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { statusTone, statusWord } from "../kit/status.js";
import { Chart, axis, label, tooltip, zoom } from "./chart.js";

const MANY = 1000;

class DurationChart extends Chart {
  connectedCallback() {
    super.connectedCallback();
    this.listen(this.store, "points", () => this.draw());
  }

  attend(canvas) {
    canvas.on("click", (at) => at.data?.row && this.tell("trial", at.data.row.trial));
  }

  option(tones) {
    const rows = (this.store.points?.rows ?? [])
      .filter((row) => row.duration !== null && row.duration !== undefined)
      .sort((a, b) => a.sequenceId - b.sequenceId);
    if (rows.length === 0) {
      return null;
    }
    return {
      grid: { left: 8, right: 24, top: 12, bottom: 8, containLabel: true },
      xAxis: axis(tones, { type: "category", data: rows.map((row) => row.sequenceId), splitLine: { show: false } }),
      yAxis: axis(tones, { type: "value", axisLabel: label(tones, (seconds) => (seconds === 0 ? "0" : duration(seconds))) }),
      dataZoom: zoom(),
      tooltip: tooltip(tones, ({ data }) => describe(data.row), { trigger: "item" }),
      series: [
        {
          type: "bar",
          barMaxWidth: 18,
          itemStyle: { color: tones.middle },
          large: rows.length > MANY,
          data: rows.map((row) => ({ value: row.duration, row, itemStyle: { color: colourOf(row, tones), borderRadius: 2 } })),
          cursor: "pointer",
        },
      ],
    };
  }

  render() {
    return html`
      <header>
        <h2>Duration of trials</h2>
        <span class="legend"><i class="dot"></i>succeeded <i class="dot bad"></i>failed <i class="dot warn"></i>stopped early <i
          class="dot busy"></i>running</span>
      </header>
      ${this.plot(`Duration of ${count(this.store.points?.total ?? 0)} trials`, "Durations appear here when trials have run.", "low")}
    `;
  }
}

const colourOf = (row, tones) => (row.status === "SUCCEEDED" ? tones.middle : tones[statusTone(row.status)]);

const describe = (row) => [
  [`No. ${row.sequenceId} · ${row.trial}`, duration(row.duration)],
  ["status", statusWord(row.status)],
];

define("duration-chart", DurationChart);
