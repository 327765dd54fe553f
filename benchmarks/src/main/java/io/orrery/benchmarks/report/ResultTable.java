package io.orrery.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A table of text with a head, columns as wide as they must be. */
public final class ResultTable {
  private final List<List<String>> rows = new ArrayList<>();

  public ResultTable(String... head) {
    rows.add(List.of(head));
  }

  public ResultTable row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        text.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
      }
      text.append('\n');
    }
    return text.toString();
  }
}
