package io.orrery.cli.nni;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.experiment.ExperimentChoice;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code nnictl experiment}. */
@Command(
    name = "experiment",
    description = "Look at experiments and their results.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
final class NniExperiments {
  private static final String RULE = "-".repeat(88);
  private static final DateTimeFormatter LISTED =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private final Session session;
  private final Said said;

  NniExperiments(Session session, Said said) {
    this.session = session;
    this.said = said;
  }

  @Command(name = "show", description = "The experiment's profile as JSON.")
  int show(@Mixin NniChoice chosen) {
    said.dated(session.api().get(Resource.nni(chosen.id(session.api()), "experiment")));
    return 0;
  }

  @Command(name = "status", description = "The experiment's status as JSON.")
  int status(@Mixin NniChoice chosen) {
    said.json(session.api().get(Resource.nni(chosen.id(session.api()), "check-status")));
    return 0;
  }

  @Command(name = "list", description = "The experiments that are not STOPPED.")
  int list(@Option(names = "--all", description = "The stopped ones, too.") boolean all) {
    Api api = session.api();
    IndexEntries entries = IndexEntries.of(api);
    List<JsonNode> shown = all ? entries.all() : entries.standing();
    if (session.json()) {
      Set<String> ids =
          shown.stream().map(entry -> entry.path("id").asText()).collect(Collectors.toSet());
      session.print(
          api.list(Resource.of("experiments"), null).stream()
              .filter(experiment -> ids.contains(experiment.path("id").asText()))
              .toList());
      return 0;
    }
    if (shown.isEmpty()) {
      said.line(
          all
              ? "There is no experiment yet."
              : "There is no experiment running. `nnictl experiment list --all` shows the others.");
      return 0;
    }
    said.line(RULE);
    said.line("                Experiment information");
    for (JsonNode entry : shown) {
      said.line(
          "Id: %s    Name: %s    Status: %s    Port: %s    Platform: %s    StartTime: %s    EndTime: %s"
              .formatted(
                  entry.path("id").asText(),
                  entry.path("experimentName").asText("").replaceAll("\\p{Cntrl}", "?"),
                  entry.path("status").asText(),
                  entry.hasNonNull("port") ? entry.path("port").asText() : "N/A",
                  entry.path("platform").asText(),
                  time(entry.path("startTime")),
                  time(entry.path("endTime"))));
    }
    said.line(RULE);
    return 0;
  }

  /** Milliseconds as NNI lists them, in this machine's zone; a text as it is. */
  private static String time(JsonNode time) {
    return time.isIntegralNumber()
        ? LISTED.format(Instant.ofEpochMilli(time.longValue()).atZone(ZoneId.systemDefault()))
        : time.asText();
  }

  @Command(
      name = "delete",
      description = "Delete an ended experiment with all that it left; asks first.")
  int delete(
      @Mixin NniChoice chosen,
      @Option(names = "--all", description = "All that have ended.") boolean all,
      @Option(
              names = {"--yes", "-y"},
              description = "Do not ask.")
          boolean yes) {
    Api api = session.api();
    List<String> ids =
        all
            ? api.list(Resource.of("experiments"), null).stream()
                .filter(ExperimentChoice::hasEnded)
                .map(e -> e.path("id").asText())
                .toList()
            : List.of(given(chosen));
    if (!yes && !agreed(ids)) {
      said.info("Nothing was deleted.");
      return 0;
    }
    for (String id : ids) {
      api.delete(Resource.of("experiments", id));
      said.info("Delete experiment " + id + " success!");
    }
    return 0;
  }

  /** There is no way back, so nothing is guessed. */
  private static String given(NniChoice chosen) {
    String id = chosen.given();
    if (id == null || id.isBlank()) {
      throw CommandFailure.refused("say which one: nnictl experiment delete ID, or --all");
    }
    return id;
  }

  private boolean agreed(List<String> ids) {
    session
        .terminal()
        .err()
        .print("Delete " + String.join(", ", ids) + " with trials, metrics and logs? [y/N] ");
    session.terminal().err().flush();
    Scanner answer = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
    return answer.hasNextLine()
        && List.of("y", "yes").contains(answer.nextLine().strip().toLowerCase(Locale.ROOT));
  }

  @Command(name = "import", description = "Bring in results of elsewhere.")
  int importResults(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--filename", "-f"},
              required = true,
              paramLabel = "FILE",
              description = "A JSON list of {parameter, value}.")
          String file) {
    String results = ConfigFile.read(file, session.terminal()).text();
    String id = chosen.id(session.api());
    session.api().post(Resource.of("experiments", id, "import"), results, "application/json");
    said.info("Import data success!");
    return 0;
  }

  @Command(name = "export", description = "Write parameters and results of the good trials.")
  int export(
      @Mixin NniChoice chosen,
      @Option(
              names = {"--type", "-t"},
              required = true,
              paramLabel = "T",
              description = "json or csv.")
          Export.Type type,
      @Option(
              names = {"--filename", "-f"},
              required = true,
              paramLabel = "FILE",
              description = "Where to.")
          String file,
      @Option(
              names = {"--intermediate", "-i"},
              description = "With the intermediate results.")
          boolean intermediate) {
    new Export(session, chosen.id(session.api())).write(type, file, intermediate);
    said.info("Trial hyperparameters and metrics saved to " + file);
    return 0;
  }
}
