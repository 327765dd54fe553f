package io.orrery.cli.nni;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nnictl resume ID}. */
@Command(name = "resume", description = "Go on with a stopped experiment.")
final class Resume implements Callable<Integer> {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Session session;
  private final Said said;
  private final ServerProgram program;
  private final Supplier<Interrupts> interrupts;

  @Parameters(paramLabel = "ID", description = "The experiment's id or the beginning of it.")
  private String id = "";

  @Mixin private NniServer server = new NniServer();

  @Mixin private FormerDirectory former = new FormerDirectory();

  @Option(
      names = {"--foreground", "-f"},
      description = "Stay until the experiment has ended; Ctrl-C stops it.")
  private boolean foreground;

  Resume(Session session, Said said, ServerProgram program, Supplier<Interrupts> interrupts) {
    this.session = session;
    this.said = said;
    this.program = program;
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() {
    Api api = server.findOrStart(session, program, interrupts);
    String experiment = former.idOf(session, api, id);
    api.post(Resource.of("experiments", experiment, "resume"));
    said.info("Successfully started experiment!");
    said.line("The experiment id is " + experiment);
    said.line("The Web UI urls are: " + WebUi.url(api, port(api, experiment)));
    return foreground ? stay(api, experiment) : 0;
  }

  /** An experiment keeps the port that it was created with. */
  private int port(Api api, String experiment) {
    int own = api.get(Resource.nni(experiment, "experiment-metadata")).path("port").asInt();
    if (server.named() && !Integer.valueOf(own).equals(server.clientPort(api))) {
      session.terminal().say("it keeps port " + own + ": that of --port has no effect");
    }
    return own;
  }

  /** Until it has ended; Ctrl-C stops it. */
  private int stay(Api api, String experiment) {
    session.terminal().out().flush();
    Interrupts waiting = interrupts.get();
    while (!ExperimentChoice.hasEnded(api.get(Resource.of("experiments", experiment)))) {
      if (waiting.pause(BETWEEN_LOOKS) > 0) {
        api.post(Resource.of("experiments", experiment, "stop"));
        throw CommandFailure.interrupted();
      }
    }
    return 0;
  }
}
