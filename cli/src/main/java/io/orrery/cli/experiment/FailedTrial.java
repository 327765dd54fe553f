package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Terminal;
import java.util.Optional;

/** The last trial of an experiment that failed, and the way to what it wrote. */
record FailedTrial(String experiment, JsonNode trial) {
  /** Empty when none failed, or the server does not answer any more. */
  static Optional<FailedTrial> last(Api api, String experiment) {
    Resource failed =
        Resource.of("experiments", experiment, "trials")
            .with("status", "FAILED")
            .with("sort", "-endedAt");
    try {
      return api.list(failed, 1).stream().findFirst().map(t -> new FailedTrial(experiment, t));
    } catch (Unreachable | ProblemResponse e) {
      return Optional.empty();
    }
  }

  /** The path of its stderr, and the command that shows it with or without a server. */
  void print(Terminal terminal) {
    String directory = trial.path("directory").asText("");
    if (!directory.isEmpty()) {
      terminal.err().println("stderr of trial " + id() + ": " + directory + "/stderr");
    }
    terminal.err().println("`orrery trial logs " + experiment + "/" + id() + " --stderr` shows it");
  }

  private String id() {
    return trial.path("id").asText();
  }
}
