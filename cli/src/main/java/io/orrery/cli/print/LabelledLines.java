package io.orrery.cli.print;

import java.util.List;

/** Lines of a label and a value, which may have lines of its own. */
public final class LabelledLines {
  private static final int LABEL = 12;

  private LabelledLines() {}

  /** Prints one to stdout; further lines of the value stand below its first. */
  public static void labelled(Terminal terminal, String label, String value) {
    List<String> lines = value.lines().toList();
    String first = lines.isEmpty() ? "" : lines.getFirst();
    terminal.out().println(pad(label) + plain(first));
    lines.stream().skip(1).forEach(line -> terminal.out().println(pad("") + plain(line)));
  }

  private static String pad(String label) {
    return String.format("%-" + LABEL + "s", label);
  }

  /** Control characters cannot reach the terminal; the colours of {@link Style} can. */
  private static String plain(String text) {
    return text.replaceAll("\u001b(?!\\[[0-9;]{1,4}m)|[\\p{Cntrl}&&[^\u001b]]", "?");
  }
}
