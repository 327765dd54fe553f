package io.orrery.cli.print;

import java.util.Map;

/** The ANSI colours of words that say how something is; plain text where colour is not wanted. */
public final class Style {
  private static final String BOLD = "1";
  private static final String DIM = "2";
  private static final String RED = "31";
  private static final String GREEN = "32";
  private static final String YELLOW = "33";
  private static final String CYAN = "36";

  private static final Map<String, String> STATUSES =
      Map.ofEntries(
          Map.entry("SUCCEEDED", GREEN),
          Map.entry("DONE", GREEN),
          Map.entry("\u2713", GREEN),
          Map.entry("RUNNING", CYAN),
          Map.entry("NO_MORE_TRIAL", CYAN),
          Map.entry("WAITING", DIM),
          Map.entry("INITIALIZED", DIM),
          Map.entry("PAUSED", YELLOW),
          Map.entry("STOPPING", YELLOW),
          Map.entry("STOPPED", YELLOW),
          Map.entry("EARLY_STOPPED", YELLOW),
          Map.entry("USER_CANCELED", YELLOW),
          Map.entry("SYS_CANCELED", RED),
          Map.entry("UNKNOWN", RED),
          Map.entry("OK", GREEN),
          Map.entry("WARN", YELLOW),
          Map.entry("FAIL", RED),
          Map.entry("FAILED", RED),
          Map.entry("ERROR", RED),
          Map.entry("\u2717", RED));

  private final boolean colour;

  Style(boolean colour) {
    this.colour = colour;
  }

  /** A text that is just the name of a status gets its colour; every other one stays. */
  public String status(String text) {
    String code = STATUSES.get(text);
    return code == null ? text : paint(code, text);
  }

  /** A heading. */
  public String heading(String text) {
    return text.isBlank() ? text : paint(BOLD, text);
  }

  private String paint(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
