package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Implements {@code nnictl log}: the manager's output, which here is the server's log, and where
 * trials write.
 */
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

  /** The part of a log that is shown. */
  static final class Part {
    @Option(
        names = {"--tail", "-T"},
        converter = Count.class,
        paramLabel = "N",
        description = "Only the last N lines.")
    private @Nullable Integer tail;

    @Option(
        names = {"--head", "-H"},
        converter = Count.class,
        paramLabel = "N",
        description = "Only the first N lines.")
    private @Nullable Integer head;

    @Option(names = "--path", description = "Only where it is.")
    private boolean path;
  }

  @Command(name = "stdout", description = "The server's log.")
  int stdout(@Mixin NniChoice chosen, @Mixin Part part) {
    return server(part);
  }

  @Command(name = "stderr", description = "The server's log; it has one for both.")
  int stderr(@Mixin NniChoice chosen, @Mixin Part part) {
    return server(part);
  }

  @Command(
      name = "trial",
      description = "Where trials write; `nnictl trial logs TRIAL` prints what they wrote.")
  int trial(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--trial_id", "-T"},
              paramLabel = "TRIAL",
              description = "Only this one.")
          @Nullable String trial) {
    String id = chosen.id(session.api());
    List<JsonNode> trials =
        StreamSupport.stream(session.api().get(Resource.nni(id, "trial-jobs")).spliterator(), false)
            .filter(job -> trial == null || job.path("trialJobId").asText().equals(trial))
            .toList();
    if (trial != null && trials.isEmpty()) {
      throw CommandFailure.failed("experiment " + id + " has no trial '" + trial + "'");
    }
    List<JsonNode> writing =
        trials.stream().filter(job -> !job.path("logPath").asText().isEmpty()).toList();
    if (trial == null) {
      said.info("All of trial log info:");
    } else if (writing.isEmpty()) {
      throw CommandFailure.failed("trial " + trial + " has not started, so it has no log yet");
    }
    writing.forEach(job -> said.info(path(job)));
    if (writing.isEmpty()) {
      said.info("None");
    }
    return 0;
  }

  private static String path(JsonNode job) {
    return "id:" + job.path("trialJobId").asText() + " path:" + job.path("logPath").asText();
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
