package io.orrery.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Table;
import io.orrery.core.bus.ServerRole;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code orrery status}: exit code 0 when the server is ready, else 1. */
@Command(
    name = "status",
    description = {
      "Say whether the server is ready (exit code 0) or not (1), and what its checks have found.",
      "A check that is good is a line with --checks only."
    })
public final class StatusCommand implements Callable<Integer> {
  /** Results are kept for shorter than that. */
  private static final Duration STALE = Duration.ofMinutes(1);

  private final Session session;

  @Option(names = "--checks", description = "Show the checks that are good as well.")
  private boolean all;

  public StatusCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Api api = session.api();
    Api.Health health = api.health();
    String url = api.address().url().toString();
    JsonNode cluster =
        health == Api.Health.READY ? answer(api, "cluster") : MissingNode.getInstance();
    boolean shared = cluster.path("shared").asBoolean();
    JsonNode checks =
        switch (health) {
          // A server that is not ready has checks that say why.
          case READY, STARTING, FAILING -> answer(api, "status");
          case FOREIGN, UNTRUSTED, ABSENT -> MissingNode.getInstance();
        };
    if (session.json()) {
      ObjectNode status =
          JsonNodeFactory.instance
              .objectNode()
              .put("url", url)
              .put("status", health.name().toLowerCase(Locale.ROOT));
      if (shared) {
        status.set("cluster", cluster);
      }
      if (checks.has("checks")) {
        status.set("checks", checks.path("checks"));
      }
      session.print(status);
    } else {
      PrintStream out = session.terminal().out();
      out.println(sentence(health, url));
      if (shared) {
        show(cluster, out);
      }
      show(checks);
    }
    return health == Api.Health.READY ? 0 : 1;
  }

  /** Nothing where this server does not tell it: health is public, this is not. */
  private static JsonNode answer(Api api, String what) {
    try {
      return api.get(Resource.of(what));
    } catch (ProblemResponse | Unreachable | CommandFailure refused) {
      return MissingNode.getInstance();
    }
  }

  /** Prints what the checks have found, the worst first; nothing when all is good. */
  private void show(JsonNode status) {
    List<JsonNode> shown = new ArrayList<>();
    for (JsonNode check : status.path("checks")) {
      if (all || !check.path("state").asText().equals("ok")) {
        shown.add(check);
      }
    }
    if (shown.isEmpty()) {
      return;
    }
    Table table =
        new Table(
            Table.Column.text("CHECK"),
            Table.Column.text("STATE"),
            Table.Column.text("FOUND"),
            Table.Column.text("WHAT TO DO"));
    for (JsonNode check : shown) {
      table.row(
          name(check),
          check.path("state").asText(),
          check.path("found").asText() + foundEarlier(check, status.path("at").asText()),
          check.path("hint").asText(""));
    }
    table.print(session.terminal());
  }

  /** The name of a check, with the server where another than the one that answers has made it. */
  public static String name(JsonNode check) {
    String name = check.path("name").asText();
    JsonNode server = check.path("server");
    return server.isObject()
        ? "%s (%s, %s)".formatted(name, server.path("host").asText(), server.path("url").asText())
        : name;
  }

  /** When another server has found it; nothing for what is as old as any result may be. */
  private static String foundEarlier(JsonNode check, String now) {
    String at = check.path("checkedAt").asText("");
    if (!check.path("server").isObject() || at.isEmpty()) {
      return "";
    }
    return Duration.between(Instant.parse(at), Instant.parse(now)).compareTo(STALE) > 0
        ? " (as of " + at + ")"
        : "";
  }

  /** The servers that share the work, with what each of them has. */
  private static void show(JsonNode cluster, PrintStream out) {
    for (JsonNode member : cluster.path("members")) {
      List<String> names = new ArrayList<>();
      for (JsonNode lease : cluster.path("leases")) {
        if (lease.path("member").equals(member.path("id"))) {
          names.add(lease.path("name").asText());
        }
      }
      List<String> roles = words(member.path("roles"));
      out.println(
          "member %s on %s%s: %s"
              .formatted(
                  member.path("url").asText(),
                  member.path("host").asText(),
                  roles.size() == ServerRole.all().size()
                      ? ""
                      : " with " + String.join(", ", roles),
                  names.isEmpty() ? "nothing" : String.join(", ", names)));
    }
    for (String role : words(cluster.path("missingRoles"))) {
      out.println("no member has the role " + role + ": start one with --roles " + role);
    }
  }

  private static List<String> words(JsonNode list) {
    List<String> words = new ArrayList<>();
    list.forEach(word -> words.add(word.asText()));
    return words;
  }

  private static String sentence(Api.Health health, String url) {
    return switch (health) {
      case READY -> "ready: " + url;
      case STARTING -> "not ready yet: " + url;
      case FAILING ->
          "up, but it can store nothing: " + url + "/health/ready says why (is the disk full?)";
      case FOREIGN -> "something other than Orrery listens at " + url;
      case UNTRUSTED -> Unreachable.untrusted(url, "");
      case ABSENT -> "no server at " + url + "; start one with `orrery up`";
    };
  }
}
