package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.ProblemResponse;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.service.ServiceShell;
import java.time.Duration;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about single tasks of pipelines: {@code orrery task}. */
@Command(
    name = "task",
    description = "Run one task of a pipeline alone, with outputs of an earlier run.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class TaskCommand {
  private static final String PIPELINE = "The pipeline.";
  private static final String TASK = "The task.";
  private static final int CONFLICT = 409;
  private static final Duration LOOK = Duration.ofMillis(300);

  private final Session session;
  private final Supplier<Interrupts> interrupts;

  public TaskCommand(Session session, Supplier<Interrupts> interrupts) {
    this.session = session;
    this.interrupts = interrupts;
  }

  private static Resource task(String pipeline, String task) {
    return Resource.of("pipelines", pipeline, "tasks", task);
  }

  @Command(
      name = "run",
      description = "Run a task and follow it. Exit code: 0 when it SUCCEEDED, else 1.")
  int run(
      @Parameters(index = "0", paramLabel = "PIPELINE", description = PIPELINE) String pipeline,
      @Parameters(index = "1", paramLabel = "TASK", description = TASK) String task,
      @Mixin TaskStart with,
      @Mixin DryRunOption dryRun) {
    JsonNode started = start(dryRun.at(task(pipeline, task).below("run")), with);
    if (dryRun.isAsked()) {
      return valid(started, dryRun.said("task " + task + " can be run"));
    }
    String id = started.path("id").asText();
    session.terminal().say("run " + id);
    return new RunFollower(session, session.api(), interrupts.get(), true).follow(id);
  }

  @Command(
      name = "debug",
      description = {
        "Open a shell where a task would run, with its code, inputs and variables.",
        "$ORRERY_COMMAND is the command of the task. The run ends with the shell."
      })
  int debug(
      @Parameters(index = "0", paramLabel = "PIPELINE", description = PIPELINE) String pipeline,
      @Parameters(index = "1", paramLabel = "TASK", description = TASK) String task,
      @Mixin TaskStart with,
      @Option(names = "--keep", description = "Leave the run after the shell.") boolean keep,
      @Mixin DryRunOption dryRun) {
    JsonNode started = start(dryRun.at(task(pipeline, task).below("debug")), with);
    if (dryRun.isAsked()) {
      return valid(started, dryRun.said("a shell can be opened in place of task " + task));
    }
    String id = started.path("id").asText();
    String workload = started.path("workload").asText();
    try {
      awaitReady(id, workload);
      return new ServiceShell(session).run(workload, null, System.in);
    } finally {
      if (!keep) {
        stop(id);
      }
    }
  }

  /** Stops a run, if it is not over already. */
  private void stop(String run) {
    try {
      session.api().post(Resource.of("runs", run, "stop"));
    } catch (ProblemResponse e) {
      if (e.status() != CONFLICT) {
        throw e;
      }
    }
  }

  /** Waits until the program for the shell runs. */
  private void awaitReady(String run, String workload) {
    Interrupts interrupt = interrupts.get();
    while (true) {
      JsonNode found = session.api().get(Resource.of("runs", run));
      if (RunSheet.isOver(found)) {
        throw CommandFailure.failed("the shell did not start: " + found.path("error").asText());
      }
      boolean ready =
          session
              .api()
              .find(Resource.of("workloads", workload))
              .filter(each -> each.path("status").asText().equals("READY"))
              .isPresent();
      if (ready) {
        return;
      }
      if (interrupt.pause(LOOK) > 0) {
        throw CommandFailure.failed("interrupted before the shell was ready");
      }
    }
  }

  @Command(name = "log", description = "Print what the last run of a task alone wrote.")
  int log(
      @Parameters(index = "0", paramLabel = "PIPELINE", description = PIPELINE) String pipeline,
      @Parameters(index = "1", paramLabel = "TASK", description = TASK) String task,
      @Option(names = "--stderr", description = "What it wrote to stderr.") boolean stderr,
      @Option(names = "--follow", description = "Go on printing.") boolean follow) {
    Resource log =
        task(pipeline, task)
            .below("log")
            .with("stream", stderr ? "STDERR" : "STDOUT")
            .with("follow", follow ? Boolean.TRUE : null);
    session.copy(log, "the log");
    return 0;
  }

  @Command(name = "clear", description = "Stop and delete the runs of a task alone.")
  int clear(
      @Parameters(index = "0", paramLabel = "PIPELINE", description = PIPELINE) String pipeline,
      @Parameters(index = "1", paramLabel = "TASK", description = TASK) String task,
      @Mixin DryRunOption dryRun) {
    JsonNode cleared = session.api().post(dryRun.at(task(pipeline, task).below("clear")));
    if (session.json()) {
      session.print(cleared);
    } else {
      cleared.path("deleted").forEach(run -> session.terminal().out().println(run.asText()));
      dryRun.tell(session);
    }
    return 0;
  }

  private int valid(JsonNode checked, String said) {
    if (session.json()) {
      session.print(checked);
    } else {
      checked.path("notices").forEach(notice -> session.terminal().say(notice.asText()));
      session.terminal().say(said);
    }
    return 0;
  }

  private JsonNode start(Resource resource, TaskStart with) {
    return session.api().post(resource, with.body(), "application/json");
  }
}
