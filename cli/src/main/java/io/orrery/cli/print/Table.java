package io.orrery.cli.print;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Rows under headings, each column as wide as its widest cell. */
public final class Table {
  private static final String GAP = "  ";

  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(Column... columns) {
    this.columns = List.of(columns);
  }

  /**
   * A column of a table.
   *
   * @param right numbers stand at the right edge, so that their digits line up
   */
  public record Column(String title, boolean right) {
    public static Column text(String title) {
      return new Column(title, false);
    }

    public static Column number(String title) {
      return new Column(title, true);
    }
  }

  /** Adds a row; control characters in a cell cannot reach the terminal. */
  public void row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + columns.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(cell.replaceAll("\\p{Cntrl}", "?"));
    }
    rows.add(row);
  }

  /** Prints it to stdout, statuses and headings in colour where that is wanted. */
  public void print(Terminal terminal) {
    print(terminal.out(), terminal.style());
  }

  /** Prints it without colour. */
  public void print(PrintStream out) {
    print(out, new Style(false));
  }

  private void print(PrintStream out, Style style) {
    List<String> titles = columns.stream().map(Column::title).toList();
    int[] widths =
        IntStream.range(0, columns.size())
            .map(i ->
                rows.stream()
                    .mapToInt(row -> length(row.get(i)))
                    .reduce(length(titles.get(i)), Math::max))
            .toArray();
    out.println(line(titles, widths, style::heading));
    rows.forEach(row -> out.println(line(row, widths, style::status)));
  }

  private String line(List<String> cells, int[] widths, UnaryOperator<String> paint) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String pad = " ".repeat(widths[i] - length(cell));
      line.append(i == 0 ? "" : GAP)
          .append(columns.get(i).right() ? pad + paint.apply(cell) : paint.apply(cell) + pad);
    }
    return line.toString().stripTrailing();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
