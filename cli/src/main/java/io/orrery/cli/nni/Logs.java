package io.orrery.cli.nni;

import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ExperimentChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nnictl log}: the manager's output, which here is the server's log, and trials' output. */
@Command(
    name = "log",
    description = "What server and trials wrote.",
    synopsisSubcommandLabel = "WHICH",
    commandListHeading = "Which:%n")
final class Logs {
  private final Session session;
  private final Said said;

  Logs(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  /** Which part of a log. */
  static final class Part {
    @Option(
        names = {"--tail", "-T"},
        paramLabel = "N",
        description = "Only the last N lines.")
    private @Nullable Integer tail;

    @Option(
        names = {"--head", "-H"},
        paramLabel = "N",
        description = "Only the first N lines.")
    private @Nullable Integer head;

    @Option(names = "--path", description = "Only where it is.")
    private boolean path;
  }

  @Command(name = "stdout", description = "The server's log.")
  int stdout(@Mixin ExperimentChoice chosen, @Mixin Part part) {
    return server(part);
  }

  @Command(name = "stderr", description = "The server's log; it has one for both.")
  int stderr(@Mixin ExperimentChoice chosen, @Mixin Part part) {
    return server(part);
  }

  @Command(name = "trial", description = "What a trial wrote to stdout.")
  int trial(
      @Mixin ExperimentChoice chosen,
      @Option(
              names = {"--trial_id", "-T"},
              required = true,
              paramLabel = "TRIAL",
              description = "The trial's id.")
          String trial) {
    String id = chosen.id(session.api());
    try {
      session
          .api()
          .copy(
              Resource.of("experiments", id, "trials", trial, "logs", "stdout"),
              session.terminal().out());
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("the log broke off: " + e);
    }
  }

  private int server(Part part) {
    Path log = session.terminal().home().resolve("logs").resolve("server.log");
    if (part.path) {
      said.line("The path of stdout file is: " + log);
      return 0;
    }
    try {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      int from = part.tail == null ? 0 : Math.max(0, lines.size() - Math.max(0, part.tail));
      int to = part.head == null ? lines.size() : Math.clamp(part.head, 0, lines.size());
      lines.subList(Math.min(from, to), to).forEach(said::line);
      return 0;
    } catch (IOException e) {
      throw CommandFailure.failed("there is no log of a server in the background at " + log);
    }
  }
}
