package io.orrery.cli.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.ModelDeployment;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.cli.server.Interrupts;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about the model registry: {@code orrery model}. */
@Command(
    name = "model",
    description = "Register versions of models, see them, name them by aliases.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class ModelCommand {
  private final Session session;
  private final Supplier<Interrupts> interrupts;

  public ModelCommand(Session session, Supplier<Interrupts> interrupts) {
    this.session = session;
    this.interrupts = interrupts;
  }

  @Command(
      name = "register",
      description =
          "Register a version: of files here, which are uploaded; of an address such as"
              + " s3://models/digits; or of what a trial left.")
  int register(
      @Parameters(paramLabel = "NAME", description = "The model; it is created when new.")
          String name,
      @Parameters(
              paramLabel = "PATH",
              arity = "0..1",
              description =
                  "A file or directory here, or an address. With --from-experiment or --from-run: a"
                      + " file or directory of what the trial or step left; default: all.")
          @Nullable String path,
      @Option(
              names = "--from-experiment",
              paramLabel = "ID[/TRIAL]",
              description = "Take the files and the result of a trial; default: the best one.")
          @Nullable String experiment,
      @Option(
              names = "--from-run",
              paramLabel = "RUN/STEP/NAME",
              description = "Take an output of a step of a pipeline's run.")
          @Nullable String run,
      @Option(names = "--version", paramLabel = "V", description = "Default: the next number.")
          @Nullable String version,
      @Option(names = "--alias", paramLabel = "A", description = "Point an alias to it.")
          @Nullable List<String> aliases,
      @Option(
              names = "--stage",
              paramLabel = "S",
              description = "none, staging, production or archived.")
          @Nullable String stage,
      @Option(names = "--framework", paramLabel = "F", description = "Such as onnx.")
          @Nullable String framework,
      @Option(names = "--description", paramLabel = "TEXT", description = "What it is.")
          @Nullable String description,
      @Option(names = "--project", paramLabel = "P", description = "Of a new model.")
          @Nullable String project) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (run != null && experiment != null) {
      throw CommandFailure.refused("a version comes --from-run or --from-experiment, not of both");
    }
    if (run != null) {
      fromRun(RunOutput.of(run), path, body);
    } else if (experiment != null) {
      body.set("source", source(experiment, path));
    } else if (path == null) {
      throw CommandFailure.refused(
          "name the PATH of the model, --from-experiment ID or --from-run RUN/STEP/NAME");
    } else if (path.contains("://")) {
      body.put("path", path);
    } else if (Files.exists(session.terminal().directory().resolve(path))) {
      body.set(
          "files", ModelUpload.send(session.api(), session.terminal().directory().resolve(path)));
    } else {
      throw CommandFailure.refused("there is no file or directory " + path);
    }
    put(body, "version", version);
    put(body, "stage", stage);
    put(body, "framework", framework);
    put(body, "description", description);
    if (aliases != null) {
      aliases.forEach(body.putArray("aliases")::add);
    }
    JsonNode registered =
        session
            .api()
            .post(
                Resource.of("models", name, "versions").with("project", project),
                body.toString(),
                "application/json");
    if (session.json()) {
      session.print(registered);
    } else {
      session.terminal().out().println(name + " version " + registered.path("version").asText());
    }
    return 0;
  }

  /** Through a directory of this machine: what is uploaded already is not sent again. */
  private void fromRun(RunOutput output, @Nullable String path, ObjectNode body) {
    try {
      Path directory = Files.createTempDirectory("orrery-model");
      try {
        Path fetched = output.part(output.fetch(session.api(), directory), path);
        body.set("files", ModelUpload.send(session.api(), fetched));
      } finally {
        DirectoryTree.delete(directory);
      }
    } catch (IOException e) {
      throw CommandFailure.failed("could not fetch the output: " + FileFault.words(e));
    }
    body.putObject("source").put("run", output.run()).put("step", output.step());
  }

  private static ObjectNode source(String experiment, @Nullable String path) {
    ObjectNode source = JsonNodeFactory.instance.objectNode();
    int slash = experiment.indexOf('/');
    source.put("experiment", slash < 0 ? experiment : experiment.substring(0, slash));
    if (slash >= 0) {
      source.put("trial", experiment.substring(slash + 1));
    }
    put(source, "path", path);
    return source;
  }

  private static void put(ObjectNode body, String key, @Nullable String value) {
    if (value != null) {
      body.put(key, value);
    }
  }

  @Command(name = "list", description = "List models.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only of this project.")
          @Nullable String project) {
    List<JsonNode> models =
        session.api().list(Resource.of("models").with("project", project), null);
    if (session.json()) {
      session.print(models);
      return 0;
    }
    Table table =
        new Table(
            Column.text("NAME"),
            Column.text("LATEST"),
            Column.text("ALIASES"),
            Column.text("PROJECT"),
            Column.text("OWNER"),
            Column.text("CHANGED"));
    models.forEach(model ->
        table.row(
            model.path("name").asText(),
            model.path("latest").asText("-"),
            aliases(model.path("aliases")),
            model.path("project").asText(),
            model.path("owner").asText(),
            model.path("changedAt").asText()));
    table.print(session.terminal());
    return 0;
  }

  private static String aliases(JsonNode aliases) {
    List<String> texts = new ArrayList<>();
    aliases
        .properties()
        .forEach(entry -> texts.add(entry.getKey() + "=" + entry.getValue().asText()));
    return texts.isEmpty() ? "-" : String.join(" ", texts);
  }

  @Command(name = "show", description = "Show a model with its versions.")
  int show(@Parameters(paramLabel = "NAME", description = "The model.") String name) {
    Resource one = Resource.of("models", name);
    JsonNode model = session.api().get(one);
    List<JsonNode> versions = session.api().list(one.below("versions"), null);
    if (session.json()) {
      ObjectNode all = model.deepCopy();
      versions.forEach(all.putArray("versions")::add);
      session.print(all);
      return 0;
    }
    PrintStream out = session.terminal().out();
    out.printf(
        "%s  owner %s, project %s%n",
        name, model.path("owner").asText("-"), model.path("project").asText());
    if (!model.path("description").asText("").isBlank()) {
      out.println("  " + model.path("description").asText());
    }
    Table table =
        new Table(
            Column.text("VERSION"),
            Column.text("STAGE"),
            Column.text("ALIASES"),
            Column.text("METRICS"),
            Column.text("SOURCE"),
            Column.text("CONTENT"),
            Column.text("CREATED"));
    versions.forEach(version ->
        table.row(
            version.path("version").asText(),
            version.path("stage").asText(),
            names(version.path("aliases")),
            aliases(version.path("metrics")),
            aliases(version.path("source")),
            content(version),
            version.path("createdAt").asText()));
    table.print(session.terminal());
    return 0;
  }

  private static String names(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts.isEmpty() ? "-" : String.join(",", texts);
  }

  private static String content(JsonNode version) {
    return version.path("path").isTextual()
        ? version.path("path").asText()
        : "%d files, %,d bytes"
            .formatted(version.path("files").asInt(), version.path("bytes").asLong());
  }

  @Command(
      name = "alias",
      description = "Point an alias to a version, or remove it: orrery model alias NAME ALIAS V.")
  int alias(
      @Parameters(paramLabel = "NAME", description = "The model.") String name,
      @Parameters(paramLabel = "ALIAS", description = "Such as production.") String alias,
      @Parameters(paramLabel = "VERSION", arity = "0..1", description = "The version.")
          @Nullable String version,
      @Option(names = "--delete", description = "Remove the alias.") boolean delete) {
    Resource one = Resource.of("models", name, "aliases", alias);
    if (delete == (version != null)) {
      throw CommandFailure.refused("name the VERSION that the alias points to, or --delete");
    }
    if (version == null) {
      session.api().delete(one);
      return 0;
    }
    JsonNode model =
        session.api().put(one, JsonNodeFactory.instance.objectNode().put("version", version));
    if (session.json()) {
      session.print(model);
    }
    return 0;
  }

  @Command(
      name = "deploy",
      description =
          "Serve a version, or what an alias names now: waits until its service is ready.")
  int deploy(
      @Parameters(paramLabel = "NAME@ALIAS", description = "Or NAME@VERSION.") String model,
      @Option(
              names = "--service",
              paramLabel = "FILE",
              description = "How it runs; its model is replaced. Default: the service there is.")
          @Nullable String file,
      @Option(names = "--project", paramLabel = "P", description = "Of a new service.")
          @Nullable String project) {
    ModelDeployment deployment =
        new ModelDeployment(session.api(), session.terminal(), interrupts.get());
    JsonNode service =
        deployment.deploy(
            ModelDeployment.Named.of(model), file == null ? null : deployment.file(file), project);
    if (session.json()) {
      session.print(service);
    } else {
      session.terminal().out().println(service.path("state").path("url").asText());
    }
    return 0;
  }

  @Command(name = "delete", description = "Delete a version, or a model with all its versions.")
  int delete(
      @Parameters(paramLabel = "NAME", description = "The model.") String name,
      @Option(names = "--version", paramLabel = "V", description = "Only this version.")
          @Nullable String version) {
    Resource model = Resource.of("models", name);
    session.api().delete(version == null ? model : model.below("versions", version));
    return 0;
  }
}
