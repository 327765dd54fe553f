package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentListing;
import io.orrery.cli.server.Interrupts;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code nnictl top}: the experiments that are not STOPPED, again and again. */
@Command(name = "top", description = "Watch the experiments that are not STOPPED, until Ctrl-C.")
final class Top implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final Session session;
  private final Supplier<Interrupts> takeOver;

  @Option(
      names = {"--time", "-t"},
      paramLabel = "S",
      description = "Seconds between two looks, 1 or more. Default: 3.")
  private int seconds = 3;

  Top(Session session, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    if (seconds < 1) {
      throw CommandFailure.refused("--time must be 1 second or more, not " + seconds);
    }
    Interrupts interrupts = takeOver.get();
    Duration pause = Duration.ofSeconds(Math.min(seconds, 3_600));
    do {
      show(session.terminal().out());
    } while (interrupts.pause(pause) == 0);
    return 0;
  }

  private void show(PrintStream out) {
    Set<String> standing =
        IndexEntries.of(session.api()).standing().stream()
            .map(entry -> entry.path("id").asText())
            .collect(Collectors.toSet());
    List<JsonNode> shown =
        session.api().list(Resource.of("experiments"), null).stream()
            .filter(experiment -> standing.contains(experiment.path("id").asText()))
            .toList();
    if (session.terminal().interactive()) {
      out.print(CLEAR);
    }
    if (shown.isEmpty()) {
      out.println("There is no experiment running...");
    } else {
      ExperimentListing.print(shown, session.terminal());
    }
    out.flush();
  }
}
