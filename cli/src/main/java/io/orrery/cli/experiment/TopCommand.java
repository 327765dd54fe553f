package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code orrery top}: the experiments that have not ended. */
@Command(
    name = "top",
    description = {
      "Watch the experiments that have not ended, until Ctrl-C.",
      "Where stdout is no terminal, print them once."
    })
public final class TopCommand implements Callable<Integer> {
  private final Session session;
  private final Supplier<Interrupts> takeOver;

  @Option(
      names = "--interval",
      paramLabel = "S",
      description = "Seconds between two looks, 1 to 3600. Default: 2.")
  private int seconds = 2;

  /**
   * @param takeOver how Ctrl-C arrives; asked for only where the picture is drawn again
   */
  public TopCommand(Session session, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    Duration pause = Duration.ofSeconds(Math.clamp(seconds, 1, 3_600));
    LiveScreen.show(session.terminal(), takeOver, pause, this::draw);
    return 0;
  }

  private boolean draw(Terminal terminal) {
    List<JsonNode> going =
        session.api().list(Resource.of("experiments"), null).stream()
            .filter(experiment -> !ExperimentChoice.hasEnded(experiment))
            .toList();
    if (session.json()) {
      session.print(going);
    } else {
      ExperimentListing.print(going, terminal);
    }
    return !session.json();
  }
}
