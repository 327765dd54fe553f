package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.server.Interrupts;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks four times a second. A server that is away for a short while, restarted perhaps, is waited
 * for: the experiment goes on when it does.
 */
final class PollingWatch implements ExperimentWatch {
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Session session;
  private final Interrupts interrupts;
  private final Display display;
  private final String experiment;
  private Api api;
  private boolean first = true;
  private @Nullable Instant awaySince;

  PollingWatch(
      Session session, Api api, Interrupts interrupts, Display display, String experiment) {
    this.session = session;
    this.api = api;
    this.interrupts = interrupts;
    this.display = display;
    this.experiment = experiment;
  }

  /** The server as it was last reached. */
  Api api() {
    return api;
  }

  @Override
  public JsonNode next() {
    if (!first) {
      interrupts.pause(EVERY);
    }
    first = false;
    while (true) {
      try {
        JsonNode answer = api.get(Resource.of("experiments", experiment));
        if (awaySince != null) {
          display.say("the server is back");
          awaySince = null;
        }
        return answer;
      } catch (Unreachable e) {
        away(e);
      } catch (ProblemResponse e) {
        if (e.status() < 500 && e.status() != 429) {
          throw e;
        }
        away(e);
      }
    }
  }

  /** Waits a little, or gives up with the failure. */
  private void away(RuntimeException failure) {
    Instant now = session.terminal().clock().instant();
    if (awaySince == null) {
      awaySince = now;
      display.say(
          "the server does not answer; waiting up to " + PATIENCE.toSeconds() + " s for it");
    }
    if (Duration.between(awaySince, now).compareTo(PATIENCE) >= 0 || interrupts.count() > 0) {
      throw failure;
    }
    interrupts.pause(RETRY);
    if (api.address().source() == ServerAddress.Source.FILE) {
      // Restarted, it may have another port and another token.
      api = session.found();
    }
  }
}
