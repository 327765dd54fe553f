package io.orrery.cli.server;

import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.client.ServerAddress.Source;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Terminal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The server of one run: one that is there already, or one of its own that goes down with it. */
public final class RunServer implements AutoCloseable {
  private static final int USUAL_PORT = 8080;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration END_WITHIN = Duration.ofSeconds(15);

  private final Api api;
  private final @Nullable BackgroundServer own;
  private final boolean keep;

  private RunServer(Api api, @Nullable BackgroundServer own, boolean keep) {
    this.api = api;
    this.own = own;
    this.keep = keep;
  }

  /**
   * The server that answers where the session looks, else a new one.
   *
   * @param keep leave a new one running in the end
   * @throws CommandFailure when there is none and none can be started
   */
  public static RunServer findOrStart(
      Session session, ServerProgram program, Interrupts interrupts, boolean keep) {
    Api there = session.api();
    ServerAddress address = there.address();
    boolean asked =
        Set.of(Source.OPTION, Source.ENVIRONMENT, Source.LOGIN).contains(address.source());
    switch (settled(session, there, interrupts)) {
      case READY -> {
        return new RunServer(there, null, true);
      }
      case STARTING ->
          throw CommandFailure.failed(
              "the server at "
                  + address.url()
                  + " is not ready after "
                  + PATIENCE.toSeconds()
                  + " s");
      case FAILING ->
          throw CommandFailure.failed(
              "the server at "
                  + address.url()
                  + " can store nothing now: "
                  + address.url()
                  + "/health/ready says why");
      case UNTRUSTED -> throw CommandFailure.failed(Unreachable.untrusted(address.url(), ""));
      case FOREIGN -> {
        if (asked) {
          throw CommandFailure.failed(
              "something other than an Orrery server listens at " + address.url());
        }
      }
      case ABSENT -> {
        if (asked && !address.isLoopback()) {
          throw CommandFailure.failed("no server answers at " + address.url());
        }
      }
    }
    List<String> arguments = new ArrayList<>(List.of("--router-port", "off"));
    if (asked && address.url().getPort() > 0) {
      arguments.addAll(List.of("--port", Integer.toString(address.url().getPort())));
    } else if (isBusy(USUAL_PORT)) {
      arguments.addAll(List.of("--port", "0"));
    }
    if (!keep) {
      arguments.addAll(List.of("--parent-pid", Long.toString(ProcessHandle.current().pid())));
    }
    Terminal terminal = session.terminal();
    Path home = terminal.home();
    terminal.say("no server is running, starting one in " + home);
    BackgroundServer own = BackgroundServer.start(session, program, home, arguments, interrupts);
    terminal.say("the server is ready at " + own.api().address().url());
    return new RunServer(own.api(), own, keep);
  }

  /** The API of the server. */
  public Api api() {
    return api;
  }

  /** Whether it was started for the run and goes down with it. */
  public boolean isOwn() {
    return own != null && !keep;
  }

  /** Ends a server of its own at once. */
  public void kill() {
    if (own != null) {
      own.kill();
    }
  }

  @Override
  public void close() {
    if (own != null && !keep) {
      own.end(END_WITHIN);
    }
  }

  /** What is there, once a server that is just starting has had its time. */
  private static Api.Health settled(Session session, Api there, Interrupts interrupts) {
    Instant deadline = session.terminal().clock().instant().plus(PATIENCE);
    Api.Health health = there.health();
    while (health == Api.Health.STARTING
        && session.terminal().clock().instant().isBefore(deadline)) {
      if (interrupts.pause(LOOK) > 0) {
        throw CommandFailure.interrupted();
      }
      health = there.health();
    }
    return health;
  }

  private static boolean isBusy(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return !socket.isBound();
    } catch (IOException e) {
      return true;
    }
  }
}
