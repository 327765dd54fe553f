package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.apply.AppliedDocument;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.Assignment;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.RunServer;
import io.orrery.cli.server.ServerProgram;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a pipeline: {@code orrery pipeline run FILE|NAME}. */
@Command(
    name = "run",
    description = {
      "Run a pipeline: that of a file, which is applied first, or one that the server has.",
      "Starts a server when none is running; it ends with the run unless --keep is given."
    },
    footer = {
      "",
      "Exit code: 0 when the run SUCCEEDED, 1 when it FAILED or was stopped, 2 when the file was"
          + " refused, 130 after Ctrl-C."
    })
final class RunPipeline implements Callable<Integer> {
  private final Session session;
  private final ServerProgram program;
  private final Supplier<Interrupts> takeOver;

  @Parameters(paramLabel = "FILE|NAME", description = "A document, or the name of a pipeline.")
  private String what = "";

  @Option(
      names = "--param",
      paramLabel = "K=V",
      arity = "1",
      description = "A parameter; may be repeated.")
  private List<String> parameters = List.of();

  @Option(
      names = "--version-number",
      converter = Count.class,
      paramLabel = "N",
      description = "Of a named pipeline. Default: the present version.")
  private @Nullable Integer version;

  @Option(names = "--no-cache", description = "Take no outputs of earlier runs.")
  private boolean noCache;

  @Option(
      names = "--watch",
      description = "Follow the run to its end. A server that is started for it implies this.")
  private boolean watch;

  @Option(names = "--keep", description = "Leave a server that was started for this run running.")
  private boolean keep;

  @Option(
      names = "--project",
      paramLabel = "P",
      description = "The project of a new pipeline that names none. Default: public.")
  private @Nullable String project;

  RunPipeline(Session session, ServerProgram program, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.program = program;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    ObjectNode body = body();
    Terminal terminal = session.terminal();
    Interrupts interrupts = takeOver.get();
    try (RunServer server = RunServer.findOrStart(session, program, interrupts, keep)) {
      interrupts.beforeHalt(server::kill);
      Api api = server.api();
      String name =
          AppliedDocument.isFile(terminal, what)
              ? AppliedDocument.pipeline(api, terminal, what, project, false)
              : what;
      JsonNode started =
          api.post(Resource.of("pipelines", name, "run"), body.toString(), "application/json");
      started.path("notices").forEach(notice -> terminal.say(notice.asText()));
      String id = started.path("id").asText();
      if (!watch && !server.isOwn()) {
        if (session.json()) {
          session.print(started);
        } else {
          terminal.out().println(id);
        }
        return 0;
      }
      terminal.say("run " + id + " of " + name);
      return new RunFollower(session, api, interrupts, true).follow(id);
    }
  }

  private ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("parameters", parameters(parameters));
    if (version != null) {
      body.put("version", version);
    }
    if (noCache) {
      body.put("cache", false);
    }
    return body;
  }

  /** The parameters of options {@code --param}. */
  static ObjectNode parameters(List<String> options) {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    for (String parameter : options) {
      Assignment given = Assignment.read("--param", parameter);
      values.put(given.name(), given.value());
    }
    return values;
  }
}
