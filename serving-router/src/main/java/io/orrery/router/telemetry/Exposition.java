package io.orrery.router.telemetry;

/** Prometheus text, version 0.0.4, as it grows. */
public final class Exposition {
  /** The content type of the text. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder(4096);

  /** What follows belongs to this metric. */
  public void metric(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  /**
   * One number.
   *
   * @param labels names and values in turn
   */
  public void sample(String name, double value, String... labels) {
    labelled(name, labels).append(value).append('\n');
  }

  /** The same for a count. */
  public void sample(String name, long value, String... labels) {
    labelled(name, labels).append(value).append('\n');
  }

  private StringBuilder labelled(String name, String... labels) {
    text.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      escape(labels[i + 1]);
      text.append('"');
    }
    if (labels.length > 0) {
      text.append('}');
    }
    return text.append(' ');
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
