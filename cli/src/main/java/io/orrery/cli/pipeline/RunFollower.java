package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import java.time.Duration;

/**
 * Follows a run until its end, as a {@link RunDisplay}. The first Ctrl-C stops the run when that is
 * wished, and is passed on to the server; else it only ends the watch.
 */
final class RunFollower {
  private static final Duration LOOK = Duration.ofMillis(300);

  private final Session session;
  private final Api api;
  private final Interrupts interrupts;
  private final boolean stops;

  /**
   * @param stops whether Ctrl-C stops the run
   */
  RunFollower(Session session, Api api, Interrupts interrupts, boolean stops) {
    this.session = session;
    this.api = api;
    this.interrupts = interrupts;
    this.stops = stops;
  }

  /** Follows a run until its end, and returns the exit code. */
  int follow(String id) {
    Terminal terminal = session.terminal();
    RunDisplay display = RunDisplay.on(terminal, api);
    boolean stopping = false;
    JsonNode run;
    while (true) {
      run = look(id);
      display.show(run);
      if (RunSheet.isOver(run)) {
        break;
      }
      if (interrupts.pause(LOOK) > 0) {
        if (!stops) {
          return CommandFailure.INTERRUPTED;
        }
        if (!stopping) {
          stopping = true;
          display.leave();
          terminal.say("stopping… press Ctrl-C again to kill");
          stop(id);
        }
      }
    }
    if (session.json()) {
      session.print(run);
    } else {
      String error = run.path("error").asText("");
      terminal
          .out()
          .println(
              "run %s %s%s"
                  .formatted(id, run.path("status").asText(), error.isEmpty() ? "" : ": " + error));
    }
    if (stopping) {
      return CommandFailure.INTERRUPTED;
    }
    return run.path("status").asText().equals("SUCCEEDED") ? 0 : CommandFailure.FAILED;
  }

  /** Asks again when the server is restarted meanwhile. */
  private JsonNode look(String id) {
    for (int tries = 0; ; tries++) {
      try {
        return api.get(Resource.of("runs", id));
      } catch (Unreachable e) {
        if (tries >= 100 || interrupts.pause(LOOK) > 0) {
          throw e;
        }
      }
    }
  }

  private void stop(String id) {
    try {
      api.post(Resource.of("runs", id, "stop"));
    } catch (ProblemResponse e) {
      // 409: it ended by itself in the meantime, which the next look shows.
      if (e.status() != 409) {
        throw e;
      }
    }
  }
}
