package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.experiment.ExperimentCommand;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code nnictl create --config FILE}. */
@Command(name = "create", description = "Create an experiment; starts a server when none runs.")
final class Create implements Callable<Integer> {
  private final Session session;
  private final Said said;
  private final ServerProgram program;
  private final Supplier<Interrupts> interrupts;

  @Option(
      names = {"--config", "-c"},
      required = true,
      paramLabel = "FILE",
      description = "The experiment's configuration, NNI's v1, v2 or v3 form.")
  private String config = "";

  @Option(
      names = {"--foreground", "-f"},
      description = "Stay until the experiment has ended; Ctrl-C stops it.")
  private boolean foreground;

  @Option(
      names = {"--url_prefix", "-u"},
      paramLabel = "PREFIX",
      description = "NNI's API of the experiment also lies below this step of the path.")
  private @Nullable String urlPrefix;

  @Mixin private NniServer server = new NniServer();

  Create(Session session, Said said, ServerProgram program, Supplier<Interrupts> interrupts) {
    this.session = session;
    this.said = said;
    this.program = program;
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() throws Exception {
    ConfigFile file = ConfigFile.read(config, session.terminal());
    Api api = server.findOrStart(session, program, interrupts);
    if (foreground) {
      return server.withPort(api, port -> stay(api, port));
    }
    ConfigFile answered = file.answered(session.terminal());
    Created created =
        server.withPort(
            api,
            port ->
                new Created(
                    answered.submit(api, false, port, urlPrefix, null, session.terminal()), port));
    String id = created.answer().path("id").asText();
    said.info("Successfully started experiment!");
    said.line("-".repeat(84));
    said.line("The experiment id is " + id);
    said.line("The Web UI urls are: " + WebUi.url(api, created.port()));
    said.line("-".repeat(84));
    said.line("nnictl experiment show " + id + "   the experiment");
    said.line("nnictl trial ls " + id + "          its trials");
    said.line("nnictl stop " + id + "              the end of it");
    return 0;
  }

  private record Created(JsonNode answer, @Nullable Integer port) {}

  /** Until it has ended; then its port is free again, as that of a manager in the foreground. */
  private int stay(Api api, @Nullable Integer port) {
    int code = ExperimentCommand.run(session, program, interrupts, config, port, urlPrefix);
    if (port != null && port != api.address().url().getPort()) {
      IndexEntries.of(api)
          .standingAt(port)
          .forEach(entry -> Stop.leave(api, entry.path("id").asText()));
    }
    return code;
  }
}
