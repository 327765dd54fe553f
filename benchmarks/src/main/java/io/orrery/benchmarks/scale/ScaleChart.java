package io.orrery.benchmarks.scale;

import io.orrery.benchmarks.scale.ScaleBenchmark.Mark;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A chart of the cost of a trial and of resident memory over the number of trials that are over, as
 * SVG: two panels over one logarithmic axis.
 */
final class ScaleChart {
  private static final int WIDTH = 720;
  private static final int PANEL = 190;
  private static final int LEFT = 70;
  private static final int RIGHT = 44;
  private static final int STEPS = 4;
  private static final int TOP = 34;
  private static final int GAP = 64;

  private final List<Mark> marks;

  /**
   * @param marks at least two, by their number of trials
   */
  ScaleChart(List<Mark> marks) {
    if (marks.size() < 2) {
      throw new IllegalArgumentException("a chart needs two marks at least");
    }
    this.marks = List.copyOf(marks);
  }

  /** The picture, legible on light and on dark ground. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    int height = 2 * (TOP + PANEL) + GAP;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img"
          aria-label="Cost of a trial and resident memory by number of finished trials">
        <style>
          text { font: 13px system-ui, sans-serif; fill: #6b7280 }
          .title { font-weight: 600 }
          .middle { text-anchor: middle }
          .grid { stroke: #9ca3af; stroke-opacity: .35 }
          .line { fill: none; stroke: #3b82f6; stroke-width: 2 }
          circle { fill: #3b82f6 }
        </style>
        """
            .formatted(WIDTH, height));
    panel(svg, 0, "Processor time per trial, ms", "%.2f", Mark::cpuMs);
    panel(svg, TOP + PANEL + GAP / 2, "Resident memory, MB", "%,.0f", Mark::residentMb);
    svg.append(text(LEFT, height - 4, "", "finished trials, logarithmic")).append("</svg>\n");
    return svg.toString();
  }

  private void panel(
      StringBuilder svg, int above, String title, String format, ToDoubleFunction<Mark> value) {
    int top = above + TOP;
    double step = step(marks.stream().mapToDouble(value).max().orElseThrow() / STEPS);
    double highest = step * STEPS;
    svg.append(text(LEFT, above + 18, "title", title));
    for (int i = 0; i <= STEPS; i++) {
      double y = top + PANEL * (STEPS - i) / (double) STEPS;
      svg.append(line(LEFT, y, WIDTH - RIGHT, y));
      svg.append(text(6, y + 4, "", String.format(Locale.ROOT, format, step * i)));
    }
    double first = Math.log10(marks.getFirst().trials());
    double last = Math.log10(marks.getLast().trials());
    for (int power = (int) Math.ceil(first - 1e-9); power <= last + 1e-9; power++) {
      double x = x(power, first, last);
      svg.append(line(x, top, x, top + PANEL));
      String label = String.format(Locale.ROOT, "%,d", (long) Math.pow(10, power));
      svg.append(text(x, top + PANEL + 17, "middle", label));
    }
    StringBuilder points = new StringBuilder();
    for (Mark mark : marks) {
      double x = x(Math.log10(mark.trials()), first, last);
      double y = top + PANEL * (1 - value.applyAsDouble(mark) / highest);
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>%n", x, y));
    }
    svg.append("<polyline class=\"line\" points=\"")
        .append(points.toString().strip())
        .append("\"/>\n");
  }

  /** The next of 1, 2, 2.5 and 5 times a power of ten. */
  private static double step(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (factor * power >= least) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static double x(double power, double first, double last) {
    return LEFT + (WIDTH - RIGHT - LEFT) * (power - first) / (last - first);
  }

  private static String line(double x1, double y1, double x2, double y2) {
    return String.format(
        Locale.ROOT,
        "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
        x1,
        y1,
        x2,
        y2);
  }

  private static String text(double x, double y, String kind, String words) {
    return String.format(
        Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n", kind, x, y, words);
  }
}
