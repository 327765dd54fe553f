package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.math.BigDecimal;
import java.math.MathContext;

/** Prints a comparison of two runs: a line for each fact, with a star where they differ. */
final class RunDifferences {
  private static final int DIGEST = "sha256:".length() + 12;
  private static final MathContext DIGITS = new MathContext(6);

  private RunDifferences() {}

  static void print(Session session, JsonNode comparison, boolean all) {
    Table table =
        new Table(
            Column.text(""),
            Column.text("WHAT"),
            Column.text(comparison.path("left").asText()),
            Column.text(comparison.path("right").asText()),
            Column.number("CHANGE"));
    for (JsonNode line : comparison.path("lines")) {
      boolean same = line.path("same").asBoolean();
      if (all || !same) {
        table.row(
            same ? "" : "*",
            name(line),
            cell(line, "left"),
            cell(line, "right"),
            same ? "" : change(line));
      }
    }
    table.print(session.terminal());
  }

  static String name(JsonNode line) {
    return line.path("step").isTextual()
        ? line.path("step").textValue() + " " + line.path("name").textValue()
        : line.path("name").textValue();
  }

  static String cell(JsonNode line, String side) {
    JsonNode value = line.path(side);
    if (value.isNull() || value.isMissingNode()) {
      return "-";
    }
    return switch (line.path("kind").asText()) {
      case "duration" -> number(value) + " s";
      case "artifact" -> value.asText().substring(0, Math.min(DIGEST, value.asText().length()));
      default ->
          value.isNumber() ? number(value) : value.isTextual() ? value.asText() : value.toString();
    };
  }

  static String change(JsonNode line) {
    JsonNode change = line.path("change");
    if (!change.isNumber()) {
      return "";
    }
    return (change.doubleValue() > 0 ? "+" : "") + number(change);
  }

  private static String number(JsonNode value) {
    return value.isIntegralNumber()
        ? value.asText()
        : BigDecimal.valueOf(value.doubleValue())
            .round(DIGITS)
            .stripTrailingZeros()
            .toPlainString();
  }
}
