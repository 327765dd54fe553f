package io.orrery.cli.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Session;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code orrery status}: exit code 0 when the server is ready, else 1. */
@Command(name = "status", description = "Say whether the server is ready (exit code 0) or not (1).")
public final class StatusCommand implements Callable<Integer> {
  private final Session session;

  public StatusCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Api api = session.api();
    Api.Health health = api.health();
    String url = api.address().url().toString();
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("url", url)
              .put("status", health.name().toLowerCase(Locale.ROOT)));
    } else {
      session.terminal().out().println(sentence(health, url));
    }
    return health == Api.Health.READY ? 0 : 1;
  }

  private static String sentence(Api.Health health, String url) {
    return switch (health) {
      case READY -> "ready: " + url;
      case STARTING -> "not ready yet: " + url;
      case FAILING ->
          "up, but it can store nothing: " + url + "/health/ready says why (is the disk full?)";
      case FOREIGN -> "something other than Orrery listens at " + url;
      case ABSENT -> "no server at " + url + "; start one with `orrery up`";
    };
  }
}
