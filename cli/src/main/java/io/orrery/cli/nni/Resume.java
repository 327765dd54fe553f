package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code nnictl resume ID}. */
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
    Integer port = open(api, experiment);
    goOn(api, experiment);
    said.info("Successfully started experiment!");
    said.line("The experiment id is " + experiment);
    said.line("The Web UI urls are: " + WebUi.url(api, port));
    return foreground ? stay(api, experiment) : 0;
  }

  /** Opens a port for NNI's clients; an experiment that has one of its own may keep it. */
  private @Nullable Integer open(Api api, String experiment) {
    JsonNode entry = api.get(Resource.nni(experiment, "experiment-metadata"));
    boolean own = entry.hasNonNull("port") && !entry.hasNonNull("prefixUrl");
    if (own && !server.named()) {
      return give(api, experiment, entry.path("port").asInt());
    }
    if (own) {
      requireEnded(api, experiment, entry.path("port").asInt());
    }
    return server.withPort(api, port -> give(api, experiment, port));
  }

  private static void requireEnded(Api api, String experiment, int port) {
    JsonNode now = api.get(Resource.of("experiments", experiment));
    if (!ExperimentChoice.hasEnded(now)) {
      throw CommandFailure.failed(
          "experiment %s is %s at port %d, and keeps it until it has ended"
              .formatted(experiment, now.path("status").asText(), port));
    }
  }

  private static @Nullable Integer give(Api api, String experiment, @Nullable Integer port) {
    if (port != null) {
      api.put(
          Resource.of("experiments", experiment, "port"),
          JsonNodeFactory.instance.objectNode().put("port", port));
    }
    return port;
  }

  /** One that is DONE for good is so again, as with NNI. */
  private static void goOn(Api api, String experiment) {
    try {
      api.post(Resource.of("experiments", experiment, "resume"));
    } catch (ProblemResponse e) {
      JsonNode now = api.get(Resource.of("experiments", experiment));
      String status = now.path("status").asText();
      if (!status.equals("DONE") && !status.equals("FAILED")) {
        throw e;
      }
    }
  }

  /** Until it has ended; Ctrl-C stops it. */
  private int stay(Api api, String experiment) {
    session.terminal().out().flush();
    Interrupts waiting = interrupts.get();
    boolean stopped = false;
    while (!stopped
        && !ExperimentChoice.hasEnded(api.get(Resource.of("experiments", experiment)))) {
      stopped = waiting.pause(BETWEEN_LOOKS) > 0;
    }
    if (stopped) {
      api.post(Resource.of("experiments", experiment, "stop"));
    }
    Stop.leave(api, experiment);
    if (stopped) {
      throw CommandFailure.interrupted();
    }
    return 0;
  }
}
