package io.orrery.cli.nni;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.Session;
import io.orrery.cli.server.BackgroundServer;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The server behind the flags of {@code create} and {@code resume}. NNI starts a manager for each
 * experiment, here one server has them all: the first {@code create} starts it at the port that is
 * asked for, later ones find it and get a port of their own from it.
 */
final class NniServer {
  @Option(
      names = {"--port", "-p"},
      paramLabel = "P",
      description = "Where clients shall find the experiment. Default: 8080, or the server's port.")
  private @Nullable Integer port;

  /** For what it did in NNI there is the server's log, always. */
  @Option(
      names = {"--debug", "-d"},
      hidden = true)
  @SuppressWarnings("UnusedVariable")
  private boolean debug;

  /**
   * The one that runs, else a new one in the background.
   *
   * @throws CommandFailure when there is none and none can be started
   */
  Api findOrStart(Session session, ServerProgram program, Supplier<Interrupts> interrupts) {
    Api there = session.api();
    switch (there.health()) {
      case READY -> {
        return there;
      }
      case STARTING, FAILING ->
          throw CommandFailure.failed(
              "the server at "
                  + there.address().url()
                  + " is not ready; its /health/ready says why");
      case FOREIGN, ABSENT -> {
        if (there.address().source() == ServerAddress.Source.OPTION
            || there.address().source() == ServerAddress.Source.ENVIRONMENT) {
          throw CommandFailure.failed("no Orrery server answers at " + there.address().url());
        }
      }
    }
    return BackgroundServer.start(
            session, program, session.terminal().home(), arguments(), interrupts.get())
        .api();
  }

  /**
   * Where NNI's clients shall find the experiment: at a port of its own, or at the server's; null
   * when that is not known.
   */
  @Nullable Integer clientPort(Api api) {
    if (port != null && port != 0) {
      return port;
    }
    int servers = api.address().url().getPort();
    return servers < 0 ? null : servers;
  }

  /** Whether a port was asked for, rather than any. */
  boolean named() {
    return port != null && port != 0;
  }

  /** The one that runs at the port, when one was given; else the one of this home. */
  static Api at(Session session, @Nullable Integer port) {
    return port == null
        ? session.api()
        : session.at(
            new ServerAddress(
                URI.create("http://127.0.0.1:" + port),
                session.api().address().token(),
                ServerAddress.Source.OPTION));
  }

  private List<String> arguments() {
    return port == null ? List.of() : List.of("--port", port.toString());
  }
}
