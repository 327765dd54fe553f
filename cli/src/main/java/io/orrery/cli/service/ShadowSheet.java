package io.orrery.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what the shadows of a service or a domain answered otherwise. */
public final class ShadowSheet {
  private ShadowSheet() {}

  /**
   * Asks and prints.
   *
   * @param of the service or the domain
   */
  public static void print(Session session, Resource of) {
    List<JsonNode> shadows = session.api().list(of.below("shadows"), null);
    if (session.json()) {
      session.print(shadows);
      return;
    }
    PrintStream out = session.terminal().out();
    if (shadows.isEmpty()) {
      out.println("No shadow has got a copy of a request yet.");
    }
    for (JsonNode shadow : shadows) {
      print(session, shadow);
    }
  }

  private static void print(Session session, JsonNode shadow) {
    PrintStream out = session.terminal().out();
    out.printf(
        "%s  %d copies answered, %d with another status, %d with another body, %d failed%n",
        shadow.path("shadow").asText(),
        shadow.path("sent").asLong(),
        shadow.path("otherStatus").asLong(),
        shadow.path("otherBody").asLong(),
        shadow.path("failed").asLong());
    out.printf(
        "  p50 %s ms, p99 %s ms; clients had p50 %s ms, p99 %s ms%n",
        millis(shadow.path("shadowP50")),
        millis(shadow.path("shadowP99")),
        millis(shadow.path("p50")),
        millis(shadow.path("p99")));
    if (shadow.path("differences").isEmpty()) {
      return;
    }
    Table table =
        new Table(
            Column.text("AT"),
            Column.text("REQUEST"),
            Column.text("DIFFERS"),
            Column.text("CLIENT"),
            Column.text("SHADOW"));
    for (JsonNode one : shadow.path("differences")) {
      for (String[] row : rows(one)) {
        table.row(row);
      }
    }
    table.print(session.terminal());
  }

  /** One line for each place that differs. */
  private static List<String[]> rows(JsonNode one) {
    String at = one.path("at").asText();
    String request = one.path("request").asText();
    JsonNode body = one.path("body");
    List<String[]> rows = new ArrayList<>();
    switch (one.path("kind").asText()) {
      case "status" ->
          rows.add(
              row(
                  at,
                  request,
                  "status",
                  one.path("status").asText(),
                  one.path("shadowStatus").asText()));
      case "time" ->
          rows.add(
              row(
                  at,
                  request,
                  "time",
                  millis(one.path("millis")) + " ms",
                  millis(one.path("shadowMillis")) + " ms"));
      default -> {
        for (JsonNode place : body.path("places")) {
          rows.add(
              row(
                  at,
                  request,
                  "body " + place.path("pointer").asText(),
                  place.path("value").asText("-"),
                  place.path("shadowValue").asText("-")));
        }
        if (rows.isEmpty() && body.isObject()) {
          rows.add(
              row(
                  at,
                  request,
                  "body from byte " + body.path("at").asLong(),
                  body.path("text").asText(),
                  body.path("shadowText").asText()));
        }
        if (rows.isEmpty()) {
          rows.add(
              row(
                  at,
                  request,
                  "body",
                  one.path("bytes").asText() + " bytes",
                  one.path("shadowBytes").asText() + " bytes"));
        }
      }
    }
    return rows;
  }

  private static String[] row(String... cells) {
    return cells;
  }

  private static String millis(JsonNode value) {
    return String.format(Locale.ROOT, "%.1f", value.asDouble());
  }
}
