package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment logs}: how the newest trial is doing. */
@Command(
    name = "logs",
    description = {
      "Print what the trial that started last has written to stdout.",
      "`orrery trial logs` prints any trial's, and stderr."
    })
final class ExperimentLogs implements Callable<Integer> {
  private final Session session;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(names = "--follow", description = "Go on printing until the trial ends.")
  private boolean follow;

  ExperimentLogs(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Api api = session.api();
    String experiment = choice.shown(session).path("id").asText();
    Resource trials = Resource.of("experiments", experiment, "trials").with("sort", "-startedAt");
    List<JsonNode> started =
        api.list(trials, 100).stream().filter(t -> t.path("startedAt").isTextual()).toList();
    String trial =
        started.stream()
            .max(Comparator.comparing(t -> t.path("startedAt").asText()))
            .map(t -> t.path("id").asText())
            .orElseThrow(() ->
                CommandFailure.failed("no trial of experiment " + experiment + " has started yet"));
    session.terminal().say("stdout of trial " + experiment + "/" + trial);
    try {
      api.copy(
          Resource.of("experiments", experiment, "trials", trial, "logs", "stdout")
              .with("follow", follow ? Boolean.TRUE : null),
          session.terminal().out());
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the log broke off: " + FileFault.words(e));
    }
  }
}
