package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.AppliedDocument;
import io.orrery.cli.apply.PipelineSheet;
import io.orrery.cli.client.Assignment;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about templates of tasks: {@code orrery template}. */
@Command(
    name = "template",
    description = "See templates of tasks, and check arguments against them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class TemplateCommand {
  private final Session session;

  public TemplateCommand(Session session) {
    this.session = session;
  }

  @Command(name = "list", description = "List templates; those of the server come first.")
  int list(
      @Option(names = "--project", paramLabel = "P", description = "Only of this project.")
          @Nullable String project) {
    List<JsonNode> templates =
        session.api().list(Resource.of("templates").with("project", project), null);
    if (session.json()) {
      session.print(templates);
    } else {
      PipelineSheet.templates(session, templates);
    }
    return 0;
  }

  @Command(name = "show", description = "Show a template with the schema of its arguments.")
  int show(@Parameters(paramLabel = "NAME", description = "The template.") String name) {
    session.print(session.api().get(Resource.of("templates", name)));
    return 0;
  }

  @Command(
      name = "check",
      description =
          "Check the file of a template; or arguments for a template, and print the command that a"
              + " task with them runs.")
  int check(
      @Parameters(
              paramLabel = "FILE|NAME",
              description = "A file with one template, or the name of one that is applied.")
          String name,
      @Option(
              names = "--arg",
              arity = "1",
              paramLabel = "K=V",
              description = "An argument, such as --arg=--depth=4; may be repeated.")
          @Nullable List<String> arguments) {
    if (AppliedDocument.isFile(session.terminal(), name)) {
      return checkFile(name, arguments);
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ObjectNode values = body.putObject("arguments");
    for (String argument : arguments == null ? List.<String>of() : arguments) {
      Assignment given = Assignment.read("--arg", argument);
      values.put(given.name(), given.value());
    }
    JsonNode checked =
        session
            .api()
            .post(Resource.of("templates", name, "check"), body.toString(), "application/json");
    if (session.json()) {
      session.print(checked);
      return 0;
    }
    List<String> words = new ArrayList<>();
    checked.path("command").forEach(word -> words.add(word.asText()));
    session.terminal().out().println(String.join(" ", words));
    return 0;
  }

  private int checkFile(String file, @Nullable List<String> arguments) {
    if (arguments != null) {
      throw CommandFailure.refused(
          "--arg goes with the name of a template that is applied, and " + file + " is a file");
    }
    String name = AppliedDocument.checkTemplate(session.api(), session.terminal(), file);
    session.terminal().say("template " + name + " is right");
    return 0;
  }
}
