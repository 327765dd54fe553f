package io.orrery.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.stream.Collectors;

/** The last step of whatever puts an experiment back. */
final class Restoring {
  private Restoring() {}

  /**
   * @param archive in the form of the API
   * @throws CommandFailure refused, with every finding
   */
  static JsonNode post(Session session, String archive) {
    try {
      return session
          .api()
          .post(Resource.of("experiments", "restore"), archive, "application/x-ndjson");
    } catch (ProblemResponse e) {
      if (e.findings().isEmpty()) {
        throw e;
      }
      throw CommandFailure.refused(
          e.findings().stream().map(f -> f.text()).collect(Collectors.joining("\n")), e);
    }
  }

  static int said(Session session, JsonNode experiment) {
    String id = experiment.path("id").asText();
    if (session.json()) {
      session.print(experiment);
      return 0;
    }
    long trials = 0;
    for (JsonNode count : experiment.path("trialCounts")) {
      trials += count.asLong();
    }
    session
        .terminal()
        .say(
            "experiment %s is here with %d trials; `orrery experiment resume %s` goes on with it"
                .formatted(id, trials, id));
    session.terminal().out().println(id);
    return 0;
  }
}
