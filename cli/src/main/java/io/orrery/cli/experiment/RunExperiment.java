package io.orrery.cli.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.apply.ModelDeployment.ServiceFile;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.client.Unreachable;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.print.Words;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.RunServer;
import io.orrery.cli.server.ServerProgram;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Implements {@code orrery experiment run FILE}: the main job, from the file to the best
 * parameters.
 *
 * <p>Ctrl-C is a wish to stop the experiment, not to leave it: the first one asks the server to
 * stop and goes on showing until it has, the second one ends everything at once.
 */
@Command(
    name = "run",
    description = {
      "Run an experiment to its end and print the best trial.",
      "Starts a server when none is running; it ends with the run unless --keep is given."
    },
    footer = {
      "",
      "Exit code: 0 when it is done with a best trial, 1 when it failed, 2 when the file was"
          + " refused, 130 after Ctrl-C."
    })
final class RunExperiment implements Callable<Integer> {
  private final Session session;
  private final ServerProgram program;
  private final Supplier<Interrupts> takeOver;

  @Parameters(paramLabel = "FILE", description = "The experiment's configuration, YAML or JSON.")
  private String file = "";

  @Option(names = "--keep", description = "Leave a server that was started for this run running.")
  private boolean keep;

  @Option(
      names = "--project",
      paramLabel = "P",
      description = "The project that it is created in. Default: public.")
  private @Nullable String project;

  @Option(
      names = "--serve",
      paramLabel = "SERVICE",
      description =
          "Then register what the best trial left as the next version of the model that this"
              + " document of a service names, and deploy the service; the server stays.")
  private @Nullable String serve;

  RunExperiment(Session session, ServerProgram program, Supplier<Interrupts> takeOver) {
    this.session = session;
    this.program = program;
    this.takeOver = takeOver;
  }

  @Override
  public Integer call() {
    return run(file, null, null);
  }

  /**
   * Runs the experiment of a file; the exit code.
   *
   * @param port where NNI's clients shall find it, null for nowhere of its own
   * @param prefix a step of the path at which NNI's API of it also is, null for none
   */
  int run(String file, @Nullable Integer port, @Nullable String prefix) {
    Terminal terminal = session.terminal();
    ConfigFile config = ConfigFile.experiment(file, terminal).answered(terminal);
    Interrupts interrupts = takeOver.get();
    try (RunServer server =
        RunServer.findOrStart(session, program, interrupts, keep || serve != null)) {
      interrupts.beforeHalt(() -> {
        terminal.err().println();
        server.kill();
      });
      if (interrupts.count() > 0) {
        throw CommandFailure.interrupted();
      }
      ServedExperiment served = new ServedExperiment(session, server.api(), interrupts);
      ServiceFile service = serve == null ? null : served.read(serve);
      JsonNode created = config.submit(server.api(), false, port, prefix, project, terminal);
      terminal.say(
          ("experiment " + created.path("id").asText() + " " + created.path("name").asText(""))
              .strip());
      Display display = Display.on(terminal, server.api());
      try {
        JsonNode over = follow(server, interrupts, display, created);
        int code = ended(over, interrupts.count() > 0, server.api());
        return code == 0 && service != null ? served.serve(over, service, project) : code;
      } finally {
        display.close();
      }
    }
  }

  /** Shows the experiment until it has ended, and passes on the wish to stop. */
  private JsonNode follow(
      RunServer server, Interrupts interrupts, Display display, JsonNode created) {
    String id = created.path("id").asText();
    JsonNode experiment = created;
    boolean stopping = false;
    PollingWatch asking = new PollingWatch(session, server.api(), interrupts, display, id);
    try (LiveWatch watch = new LiveWatch(server.api(), id, asking)) {
      do {
        experiment = watch.next();
        display.show(experiment);
        if (interrupts.count() > 0 && !stopping && !ExperimentChoice.hasEnded(experiment)) {
          stopping = stop(id, display);
        }
      } while (!ExperimentChoice.hasEnded(experiment));
    } catch (Unreachable e) {
      if (interrupts.count() == 0) {
        throw e;
      }
      display.say("the server is gone; the experiment may not have stopped");
    }
    display.close();
    return experiment;
  }

  /** Whether the server took it; a server that is busy is asked again at the next look. */
  private boolean stop(String id, Display display) {
    display.say("stopping… press Ctrl-C again to kill");
    try {
      session.api().post(Resource.of("experiments", id, "stop"));
      return true;
    } catch (ProblemResponse e) {
      // 409: it ended by itself in the meantime, which the next look shows.
      if (e.status() < 500 && e.status() != 429 && e.status() != 409) {
        throw e;
      }
      return e.status() == 409;
    }
  }

  /** Says how it ended; the exit code. */
  private int ended(JsonNode experiment, boolean interrupted, Api api) {
    Terminal terminal = session.terminal();
    JsonNode best = experiment.path("best");
    boolean well = experiment.path("status").asText().equals("DONE") && best.isObject();
    if (session.json()) {
      session.print(experiment);
    } else if (best.isObject() && (well || interrupted)) {
      String line =
          best.path("trial").asText()
              + " "
              + Words.value(best.path("metric"))
              + " "
              + Words.value(best.path("parameters"));
      if (interrupted) {
        terminal.say("best until then: " + line);
      } else {
        terminal.out().println("best: " + line);
      }
    }
    if (interrupted) {
      return CommandFailure.INTERRUPTED;
    }
    if (!well) {
      terminal.say(reason(experiment));
      FailedTrial.last(api, experiment.path("id").asText()).ifPresent(f -> f.print(terminal));
    }
    return well ? 0 : CommandFailure.FAILED;
  }

  private static String reason(JsonNode experiment) {
    String status = experiment.path("status").asText();
    String error = experiment.path("error").asText("");
    String id = experiment.path("id").asText();
    if (!error.isEmpty()) {
      return "experiment " + id + " ended as " + status + ": " + error;
    }
    return switch (status) {
      case "DONE" -> "experiment " + id + " is done, but no trial reported a final result";
      case "STOPPED" -> "experiment " + id + " was stopped";
      default ->
          "experiment "
              + id
              + " ended as "
              + status
              + "; `orrery trial list "
              + id
              + "` shows its trials";
    };
  }
}
