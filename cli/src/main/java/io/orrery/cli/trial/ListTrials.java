package io.orrery.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.experiment.TrialListing;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery trial list}. */
@Command(name = "list", description = "List the trials of an experiment.")
final class ListTrials implements Callable<Integer> {
  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      description = "Its id or the beginning of it. Default: the only active one, else the newest.")
  private @Nullable String experiment;

  @Option(
      names = "--experiment",
      paramLabel = "E",
      description = "The same as an option, as the other verbs take it.")
  private @Nullable String experimentOption;

  @Option(names = "--status", paramLabel = "S", description = "Only those in a status.")
  private @Nullable String status;

  @Option(
      names = "--sort",
      paramLabel = "KEY",
      description =
          "sequenceId, metric, startedAt, endedAt or duration; a minus in front reverses.")
  private @Nullable String sort;

  @Option(
      names = "--limit",
      converter = Count.class,
      paramLabel = "N",
      description = "At most so many. Default: all.")
  private @Nullable Integer limit;

  ListTrials(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String id =
        ExperimentChoice.shown(session, experiment == null ? experimentOption : experiment)
            .path("id")
            .asText();
    Resource resource =
        Resource.of("experiments", id, "trials").with("status", status).with("sort", sort);
    List<JsonNode> trials = session.api().list(resource, limit);
    if (session.json()) {
      session.print(trials);
      return 0;
    }
    TrialListing.print(trials, session.terminal());
    return 0;
  }
}
