package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.AppliedDocument;
import io.orrery.cli.apply.PipelineSheet;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.YamlText;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerProgram;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about pipelines: {@code orrery pipeline}. */
@Command(
    name = "pipeline",
    description = "Run, check and see pipelines.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class PipelineCommand {
  private final Session session;

  private PipelineCommand(Session session) {
    this.session = session;
  }

  /** The verbs with all that they touch. */
  public static CommandLine of(
      Session session, ServerProgram program, Supplier<Interrupts> interrupts) {
    return new CommandLine(new PipelineCommand(session))
        .addSubcommand(new RunPipeline(session, program, interrupts));
  }

  @Command(
      name = "check",
      description = "Check the documents of a file, and say all that is wrong; stores nothing.")
  int check(
      @Parameters(paramLabel = "FILE", description = "A file with one pipeline.") String file,
      @Option(
              names = "--project",
              paramLabel = "P",
              description = "The project of a pipeline that names none.")
          @Nullable String project) {
    String name = AppliedDocument.pipeline(session.api(), session.terminal(), file, project, true);
    session.terminal().say("pipeline " + name + " is right");
    return 0;
  }

  @Command(name = "list", description = "List pipelines.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only of this project.")
          @Nullable String project) {
    List<JsonNode> pipelines =
        session.api().list(Resource.of("pipelines").with("project", project), null);
    if (session.json()) {
      session.print(pipelines);
    } else {
      PipelineSheet.pipelines(session, pipelines);
    }
    return 0;
  }

  @Command(name = "show", description = "Show the present document of a pipeline.")
  int show(@Parameters(paramLabel = "NAME", description = "The pipeline.") String name) {
    session.print(session.api().get(Resource.of("pipelines", name)));
    return 0;
  }

  @Command(
      name = "export",
      description =
          "Print the present version as a document for `orrery apply`, or with --argo as an Argo"
              + " Workflow for `kubectl create`.")
  int export(
      @Parameters(paramLabel = "NAME", description = "The pipeline.") String name,
      @Option(names = "--argo", description = "As an Argo Workflow.") boolean argo,
      @Option(
              names = "--param",
              paramLabel = "K=V",
              arity = "1",
              description = "A parameter; may be repeated.")
          @Nullable List<String> parameters,
      @Option(
              names = "--image",
              paramLabel = "I",
              description = "Of tasks that name none. Default: python:3.12-slim.")
          @Nullable String image) {
    if (!argo) {
      return document(name);
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("parameters", RunPipeline.parameters(parameters == null ? List.of() : parameters));
    if (image != null) {
      body.put("image", image);
    }
    JsonNode exported =
        session
            .api()
            .post(Resource.of("pipelines", name, "export"), body.toString(), "application/json");
    exported.path("notices").forEach(notice -> session.terminal().say(notice.asText()));
    session.print(exported.path("workflow"));
    return 0;
  }

  /** The document that was applied, without the keys that the server has added. */
  private int document(String name) {
    JsonNode pipeline = session.api().get(Resource.of("pipelines", name));
    JsonNode version =
        session.api().list(Resource.of("pipelines", name, "versions"), 1).stream()
            .findFirst()
            .map(newest -> newest.path("document"))
            .orElse(pipeline);
    if (session.json()) {
      session.print(version);
    } else {
      YamlText.print(session.terminal().out(), version);
    }
    return 0;
  }

  @Command(
      name = "advice",
      description =
          "Show what the steps of a pipeline have used, and what its tasks could ask for; changes"
              + " nothing.")
  int advice(@Parameters(paramLabel = "NAME", description = "The pipeline.") String name) {
    JsonNode advice =
        session.api().get(Resource.of("pipelines", name, "advice").with("limit", 1_000));
    if (session.json()) {
      session.print(advice);
    } else {
      PipelineSheet.advice(session, advice.path("items"));
    }
    return 0;
  }

  @Command(name = "versions", description = "List the versions of a pipeline, newest first.")
  int versions(@Parameters(paramLabel = "NAME", description = "The pipeline.") String name) {
    List<JsonNode> versions = session.api().list(Resource.of("pipelines", name, "versions"), null);
    if (session.json()) {
      session.print(versions);
    } else {
      PipelineSheet.versions(session, versions);
    }
    return 0;
  }
}
