package io.orrery.cli.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.DocumentCheck;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.experiment.ConfigFile;
import io.orrery.cli.experiment.ExperimentChoice;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.print.Words;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Implements {@code orrery platform}. */
@Command(
    name = "platform",
    description = "Where the server can run trials.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class PlatformCommand {
  /** The first line of a document that is applied, also of the second in a file. */
  private static final Pattern KIND = Pattern.compile("^kind\\s*:", Pattern.MULTILINE);

  private final Session session;

  public PlatformCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List the training services.")
  public int list() {
    JsonNode page = session.api().get(Resource.of("platforms").with("limit", 1_000));
    page.path("faults")
        .properties()
        .forEach(jar -> session.terminal().say(jar.getKey() + " " + jar.getValue().asText()));
    if (session.json()) {
      session.print(page);
      return 0;
    }
    Table table = new Table(Column.text("NAME"), Column.text("FROM"), Column.text("WHAT"));
    for (JsonNode platform : page.path("items")) {
      table.row(
          Words.value(platform.path("name")),
          platform.path("jar").asText("orrery"),
          Words.sentence(platform.path("summary")));
    }
    table.print(session.terminal());
    return 0;
  }

  @Command(
      name = "check",
      description = {
        "Look whether the trials of a configuration could run where it says, and say what is in the"
            + " way. Nothing is created.",
        "Documents with a kind, such as services and notebooks, are checked as by `orrery apply"
            + " --dry-run`: the cluster or runtime that a service names is asked.",
        "Exit code 0: nothing is. 1: something is. 2: the configuration itself is wrong, or a document"
            + " cannot run."
      })
  int check(
      @Option(
              names = "--project",
              paramLabel = "P",
              description = "The project whose settings and environments count. Default: public.")
          @Nullable String project,
      @Parameters(
              paramLabel = "FILE",
              description = "The experiment's configuration, or documents, YAML or JSON.")
          String file) {
    ConfigFile read = ConfigFile.read(file, session.terminal());
    boolean isJson = file.toLowerCase(Locale.ROOT).endsWith(".json");
    boolean hasKind = isJson ? read.root().has("kind") : KIND.matcher(read.text()).find();
    return hasKind ? checkDocuments(file, project) : checkExperiment(file, project);
  }

  private int checkDocuments(String file, @Nullable String project) {
    List<String> titles = new DocumentCheck(session).check(file, project);
    if (session.json()) {
      ObjectNode checked = JsonNodeFactory.instance.objectNode().put("works", true);
      titles.forEach(checked.putArray("documents")::add);
      session.print(checked);
      return 0;
    }
    titles.forEach(title -> session.terminal().out().println(mark("GOOD") + "  " + title));
    return 0;
  }

  private int checkExperiment(String file, @Nullable String project) {
    ConfigFile config =
        ConfigFile.experiment(file, session.terminal()).answered(session.terminal());
    JsonNode checked =
        config.post(
            session.api(),
            Resource.of("platforms", "check")
                .with("base", config.folder())
                .with("project", project),
            session.terminal());
    boolean works = checked.path("works").booleanValue();
    if (session.json()) {
      session.print(checked);
      return works ? 0 : CommandFailure.FAILED;
    }
    Table table =
        new Table(
            Column.text(""), Column.text("WHAT"), Column.text("FOUND"), Column.text("REMEDY"));
    table.row(mark("GOOD"), "configuration", file + " is for " + platform(checked), "");
    for (JsonNode item : checked.path("items")) {
      table.row(
          mark(item.path("verdict").asText()),
          item.path("what").asText(),
          item.path("found").asText(),
          item.path("mend").asText(""));
    }
    table.print(session.terminal());
    return works ? 0 : CommandFailure.FAILED;
  }

  @Command(
      name = "machines",
      description = {
        "List the machines on which the trials of an experiment run, and how each is: whether it"
            + " takes trials, and why not.",
        "A platform that shows no machines is listed as a whole."
      })
  int machines(@Mixin ExperimentChoice choice) {
    JsonNode experiment = choice.shown(session);
    String id = experiment.path("id").asText();
    JsonNode page = session.api().get(Resource.of("experiments", id, "machines"));
    if (session.json()) {
      session.print(page);
      return 0;
    }
    if (page.path("items").isEmpty()) {
      session
          .terminal()
          .say(
              ExperimentChoice.hasEnded(experiment)
                  ? "experiment " + id + " has ended, and has no trials anywhere"
                  : "the platform of experiment " + id + " shows no machines");
      return 0;
    }
    MachineTable.print(page.path("items"), session.terminal());
    return 0;
  }

  private static String platform(JsonNode checked) {
    return checked.path("platform").asText();
  }

  private static String mark(String verdict) {
    return switch (verdict) {
      case "GOOD" -> "\u2713";
      case "BAD" -> "\u2717";
      default -> "?";
    };
  }
}
