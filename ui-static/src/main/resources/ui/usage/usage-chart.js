// How much of a resource was in use over time, a colour for each of those who used it.
import { Chart, axis, label, tooltip } from "../charts/chart.js";
import { number } from "../kit/format.js";
import { define } from "../kit/piece.js";
import { SERIES } from "../kit/swatch.js";
import { series } from "./spans.js";

class UsageChart extends Chart {
  static properties = { usage: { attribute: false }, resource: {}, word: {} };

  updated() {
    this.draw();
  }

  option(tones) {
    const found = this.usage.items.length === 0 ? null : series(this.usage, this.resource, SERIES);
    if (found === null || found.series.length === 0) {
      return null;
    }
    const isDay = this.usage.step === "1d";
    const day = new Intl.DateTimeFormat(undefined, isDay ? { month: "short", day: "numeric", timeZone: "UTC" } : { hour: "2-digit", minute: "2-digit" });
    return {
      grid: { left: 8, right: 12, top: 12, bottom: 8, containLabel: true },
      xAxis: axis(tones, { type: "category", data: found.instants.map((at) => day.format(at)), splitLine: { show: false } }),
      yAxis: axis(tones, { type: "value", axisLabel: label(tones, number) }),
      tooltip: tooltip(
        tones,
        (bars) => [[bars[0].axisValueLabel, ""], ...bars.filter((bar) => bar.value > 0).map((bar) => [bar.seriesName, number(bar.value)])],
        { trigger: "axis" },
      ),
      series: found.series.map(({ key, values }) => ({ name: key, type: "bar", stack: "all", data: values, barCategoryGap: "15%" })),
    };
  }

  render() {
    return this.plot(`Average of ${this.word} in use`, "Nothing of it was used in this time.");
  }
}

define("usage-chart", UsageChart);
