package io.orrery.cli.nni;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.Session;
import io.orrery.cli.server.BackgroundServer;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The server behind the flags of {@code create} and {@code resume}. NNI starts a manager for each
 * experiment, at a port that is free again when the experiment is stopped. Here one server has them
 * all, so the first {@code create} starts it at a port of its own, and each experiment gets the
 * port that is asked for besides.
 */
final class NniServer {
  /** The port that NNI's clients use when none is given. */
  private static final int USUAL_PORT = 8080;

  private static final int CONFLICT = 409;

  @Option(
      names = {"--port", "-p"},
      paramLabel = "P",
      description =
          "Where clients shall find the experiment. Default: 8080, or the server's when it is"
              + " taken.")
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
      case FOREIGN, UNTRUSTED, ABSENT -> {
        if (there.address().source() == ServerAddress.Source.OPTION
            || there.address().source() == ServerAddress.Source.ENVIRONMENT) {
          throw CommandFailure.failed("no Orrery server answers at " + there.address().url());
        }
      }
    }
    return BackgroundServer.start(
            session,
            program,
            session.terminal().home(),
            arguments(session.terminal().home()),
            interrupts.get())
        .api();
  }

  /**
   * Does something that gives an experiment a port where NNI's clients find it: the port that was
   * asked for, else 8080 if it is free, else the server's own; null when that is not known.
   *
   * @throws ProblemResponse Conflict, when the port that was asked for is taken
   */
  <T> T withPort(Api api, Function<@Nullable Integer, T> work) {
    if (port != null && port != 0) {
      return work.apply(port);
    }
    int own = api.address().url().getPort();
    Integer servers = own < 0 ? null : own;
    boolean ours =
        switch (api.address().source()) {
          case FILE, DEFAULT -> true;
          case OPTION, ENVIRONMENT, LOGIN -> false;
        };
    if (port != null || !ours || own == USUAL_PORT) {
      return work.apply(servers);
    }
    try {
      return work.apply(USUAL_PORT);
    } catch (ProblemResponse e) {
      if (e.status() != CONFLICT) {
        throw e;
      }
      return work.apply(servers);
    }
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

  /** A home that says where its server listens is not overruled. */
  private List<String> arguments(Path home) {
    boolean any = port != null && port == 0;
    return any || !saysWhere(home.resolve("orrery.yml")) ? List.of("--port", "0") : List.of();
  }

  private static boolean saysWhere(Path config) {
    try {
      return Document.read(Files.readString(config)).root().path("http").has("port");
    } catch (IOException | ProblemException e) {
      // There is none, or the server says what is wrong with it.
      return false;
    }
  }
}
