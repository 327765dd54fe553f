package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Progress;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code orrery experiment top}. */
@Command(
    name = "top",
    description = {
      "Watch an experiment and its trials until it ends, or until Ctrl-C.",
      "Where stdout is no terminal, print them once."
    })
final class TopExperiment implements Callable<Integer> {
  private static final int ROWS = 10;

  private final Session session;
  private final Supplier<Interrupts> takeOver;

  @Mixin private ExperimentChoice choice = new ExperimentChoice();

  @Option(
      names = "--interval",
      paramLabel = "S",
      description = "Seconds between two looks, 1 to 3600. Default: 2.")
  private int seconds = 2;

  TopExperiment(Session session, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    String id = choice.shown(session).path("id").asText();
    Duration pause = Duration.ofSeconds(Math.clamp(seconds, 1, 3_600));
    LiveScreen.show(session.terminal(), takeOver, pause, terminal -> draw(id, terminal));
    return 0;
  }

  private boolean draw(String id, Terminal terminal) {
    JsonNode experiment = session.api().get(Resource.of("experiments", id));
    terminal
        .out()
        .println(
            (id + " " + experiment.path("name").asText("")).strip()
                + "  "
                + terminal.style().status(experiment.path("status").asText()));
    terminal.out().println(Progress.of(experiment, Duration.ZERO).line(terminal.columns()));
    terminal.out().println();
    Resource trials = Resource.of("experiments", id, "trials");
    List<JsonNode> shown =
        new ArrayList<>(
            session.api().list(trials.with("status", "RUNNING").with("sort", "-startedAt"), ROWS));
    session.api().list(trials.with("sort", "-endedAt"), ROWS).stream()
        .filter(trial -> trial.path("endedAt").isTextual())
        .forEach(shown::add);
    TrialListing.print(shown, terminal);
    return !ExperimentChoice.hasEnded(experiment);
  }
}
