package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.experiment.ExperimentTable;
import io.orrery.cli.server.Interrupts;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code nnictl top}: the experiments that have not ended, again and again. */
@Command(name = "top", description = "Watch the experiments that have not ended, until Ctrl-C.")
final class Top implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final Session session;
  private final Supplier<Interrupts> takeOver;

  @Option(
      names = {"--time", "-t"},
      paramLabel = "S",
      description = "Seconds between two looks. Default: 3.")
  private int seconds = 3;

  Top(Session session, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    Interrupts interrupts = takeOver.get();
    Duration pause = Duration.ofSeconds(Math.clamp(seconds, 1, 3_600));
    do {
      show(session.terminal().out());
    } while (interrupts.pause(pause) == 0);
    return 0;
  }

  private void show(PrintStream out) {
    List<JsonNode> going =
        session.api().list(Resource.of("experiments"), null).stream()
            .filter(experiment -> !ExperimentChoice.hasEnded(experiment))
            .toList();
    if (session.terminal().interactive()) {
      out.print(CLEAR);
    }
    ExperimentTable.print(going, session.terminal());
    out.flush();
  }
}
