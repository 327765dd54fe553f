package io.orrery.cli.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ServerFile;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Terminal;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code orrery down}: ends the server of a home on this machine. */
@Command(
    name = "down",
    description =
        "End the server of this machine. Its experiments are continued when it is started again.")
public final class DownCommand implements Callable<Integer> {
  private static final long PATIENCE_SECONDS = 30;

  private final Session session;

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "The server's home. Default: $ORRERY_HOME, else ~/.orrery.")
  private @Nullable Path home;

  public DownCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Terminal terminal = session.terminal();
    Path place = home == null ? terminal.home() : terminal.directory().resolve(home).normalize();
    Optional<ProcessHandle> process = ServerFile.read(place).flatMap(ServerFile::process);
    if (process.isEmpty()) {
      terminal.say("no server runs in " + place);
    } else {
      end(process.get());
      terminal.say("the server (pid " + process.get().pid() + ") has ended");
    }
    if (session.json()) {
      session.print(
          JsonNodeFactory.instance
              .objectNode()
              .put("home", place.toString())
              .put("ended", process.map(ProcessHandle::pid).orElse(null)));
    }
    return 0;
  }

  private static void end(ProcessHandle process) {
    process.destroy();
    try {
      process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw CommandFailure.failed(
          "the server (pid "
              + process.pid()
              + ") has not ended within "
              + PATIENCE_SECONDS
              + " s; read its log, or end it with kill -9");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.interrupted();
    }
  }
}
