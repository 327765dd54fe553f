package io.orrery.cli.nni;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nnictl resume ID}. */
@Command(name = "resume", description = "Go on with a stopped experiment.")
final class Resume implements Callable<Integer> {
  private final Session session;
  private final Said said;
  private final ServerProgram program;
  private final Supplier<Interrupts> interrupts;

  @Parameters(paramLabel = "ID", description = "The experiment's id or the beginning of it.")
  private String id = "";

  @Mixin private NniServer server = new NniServer();

  Resume(Session session, Said said, ServerProgram program, Supplier<Interrupts> interrupts) {
    this.session = session;
    this.said = said;
    this.program = program;
    this.interrupts = interrupts;
  }

  @Override
  public Integer call() {
    Api api = server.findOrStart(session, program, interrupts);
    String experiment = ExperimentChoice.idOf(api, id);
    api.post(Resource.of("experiments", experiment, "resume"));
    said.info("Successfully started experiment!");
    said.line("The experiment id is " + experiment);
    said.line("The Web UI urls are: " + WebUi.url(api));
    return 0;
  }
}
