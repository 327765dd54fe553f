package io.orrery.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import java.io.PrintStream;
import java.util.List;

/** Prints services: as a table, or one with its replicas, events and what would help. */
public final class ServiceSheet {
  /** The cluster of the processes of the server's machine. */
  private static final String HERE = "here";

  private static final int EVENTS = 10;

  private ServiceSheet() {}

  /** Prints a line for each service. */
  public static void table(Session session, List<JsonNode> services) {
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("STATUS"),
            Column.text("READY"),
            Column.text("STAGE"),
            Column.text("PROJECT"),
            Column.text("URL"),
            Column.text("REASON"));
    for (JsonNode service : services) {
      JsonNode state = service.path("state");
      table.row(
          service.path("name").asText(),
          state.path("status").asText(),
          ready(state),
          state.path("stage").asText("-"),
          service.path("project").asText(),
          state.path("url").asText("-"),
          state.path("reason").asText("-"));
    }
    table.print(session.terminal());
  }

  private static String elsewhere(String cluster) {
    return cluster.equals(HERE) ? "" : " on " + cluster;
  }

  private static String ready(JsonNode state) {
    long ready = 0;
    for (JsonNode replica : state.path("replicas")) {
      ready += replica.path("phase").asText().equals("READY") ? 1 : 0;
    }
    return ready + "/" + state.path("wanted").asInt();
  }

  /** Prints one service. */
  public static void print(Session session, JsonNode service, List<JsonNode> events) {
    PrintStream out = session.terminal().out();
    out.printf(
        "%s  %s  revision %d of %s, project %s%n",
        service.path("name").asText(),
        service.path("title").asText(""),
        service.path("revision").asLong(),
        service.path("owner").asText("-"),
        service.path("project").asText());
    JsonNode stages = service.path("stages");
    if (stages.isEmpty()) {
      out.printf("  OFFLINE. Deploy it: orrery service deploy %s%n", service.path("name").asText());
    }
    for (JsonNode stage : stages) {
      stage(session, service, stage);
    }
    if (!events.isEmpty()) {
      out.println();
      Table table =
          new Table(
              Column.text("AT"),
              Column.text("REPLICA"),
              Column.text("STATE"),
              Column.text("REASON"));
      events
          .subList(Math.max(0, events.size() - EVENTS), events.size())
          .forEach(event ->
              table.row(
                  event.path("at").asText(),
                  event.path("replica").asText("-"),
                  event.path("state").asText(),
                  event.path("reason").asText("-")));
      table.print(session.terminal());
    }
  }

  private static void stage(Session session, JsonNode service, JsonNode stage) {
    PrintStream out = session.terminal().out();
    out.printf(
        "  %s: %s, %s ready%s%s%n",
        stage.path("stage").asText(),
        stage.path("status").asText(),
        ready(stage),
        elsewhere(stage.path("cluster").asText(HERE)),
        stage.path("reason").isTextual() ? " (" + stage.path("reason").asText() + ")" : "");
    stage.path("addresses").forEach(address -> out.println("    " + address.asText()));
    if (stage.path("image").isTextual()) {
      out.printf(
          "    image %s of build %s%n",
          stage.path("image").asText(), service.path("imageOf").asText());
    }
    rollout(out, stage);
    for (JsonNode replica : stage.path("replicas")) {
      out.printf(
          "    replica %s %s%s, restarts %d%s%n",
          replica.path("id").asText(),
          replica.path("phase").asText(),
          replica.path("endpoint").isTextual() ? " at " + replica.path("endpoint").asText() : "",
          replica.path("restarts").asInt(),
          replica.path("exitCode").isInt()
              ? ", last exit code " + replica.path("exitCode").asInt()
              : "");
      for (JsonNode line : replica.path("lastLines")) {
        out.println("      | " + line.asText());
      }
    }
    switch (stage.path("status").asText()) {
      case "FAILED", "DEGRADED" ->
          out.printf(
              "    Look at its log: orrery service logs %s --previous%n",
              service.path("name").asText());
      default -> {}
    }
  }

  /** Prints how far the rollout of a stage has come; nothing when there has been none. */
  static void rollout(PrintStream out, JsonNode stage) {
    JsonNode rollout = stage.path("rollout");
    if (rollout.path("candidate").isTextual()) {
      out.printf(
          "    rollout %s%s%n",
          rollout.path("state").asText(),
          rollout.path("reason").isTextual() ? ": " + rollout.path("reason").asText() : "");
    }
  }
}
