package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Count;
import io.orrery.cli.client.DryRunOption;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.server.Interrupts;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs about runs of pipelines: {@code orrery run}. */
@Command(
    name = "run",
    description = "See runs of pipelines, read what their steps wrote, stop and retry them.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "Verbs:%n")
public final class RunCommand {
  private final Session session;
  private final Supplier<Interrupts> interrupts;

  public RunCommand(Session session, Supplier<Interrupts> interrupts) {
    this.session = session;
    this.interrupts = interrupts;
  }

  @Command(name = "list", description = "List runs, newest first.")
  int list(
      @Option(names = "--pipeline", paramLabel = "NAME", description = "Only of this pipeline.")
          @Nullable String pipeline,
      @Option(names = "--project", paramLabel = "P", description = "Only of this project.")
          @Nullable String project,
      @Option(names = "--status", paramLabel = "S", description = "Such as FAILED.")
          @Nullable String status,
      @Option(names = "--owner", paramLabel = "U", description = "Only those of this user.")
          @Nullable String owner,
      @Option(
              names = "--trigger",
              paramLabel = "T",
              description = "Such as schedule, manual or 'task train'.")
          @Nullable String trigger,
      @Option(
              names = "--limit",
              converter = Count.class,
              paramLabel = "N",
              description = "At most so many. Default: 20.",
              defaultValue = "20")
          Integer limit) {
    List<JsonNode> runs =
        session
            .api()
            .list(
                Resource.of("runs")
                    .with("pipeline", pipeline)
                    .with("project", project)
                    .with("status", status)
                    .with("owner", owner)
                    .with("trigger", trigger),
                limit);
    if (session.json()) {
      session.print(runs);
    } else {
      RunSheet.table(session, runs);
    }
    return 0;
  }

  @Command(name = "show", description = "Show a run with its steps, outputs and reasons.")
  int show(@Parameters(paramLabel = "RUN", description = "The run.") String run) {
    return print(session.api().get(Resource.of("runs", run)));
  }

  private int print(JsonNode run) {
    if (session.json()) {
      session.print(run);
    } else {
      RunSheet.print(session, run);
    }
    return 0;
  }

  @Command(name = "logs", description = "Print what a step wrote.")
  int logs(
      @Parameters(index = "0", paramLabel = "RUN", description = "The run.") String run,
      @Parameters(index = "1", paramLabel = "STEP", description = "The step.") String step,
      @Option(names = "--stderr", description = "What it wrote to stderr.") boolean stderr,
      @Option(
              names = "--attempt",
              converter = Count.class,
              paramLabel = "N",
              description = "Default: the last.")
          @Nullable Integer attempt,
      @Option(names = "--follow", description = "Go on printing.") boolean follow) {
    Resource log =
        Resource.of("runs", run, "steps", step, "logs", stderr ? "stderr" : "stdout")
            .with("attempt", attempt)
            .with("follow", follow ? Boolean.TRUE : null);
    session.copy(log, "the log");
    return 0;
  }

  @Command(
      name = "artifacts",
      aliases = "artifact",
      description = "List the outputs of a run, or print one of them; a directory as a tar.")
  int artifacts(
      @Parameters(index = "0", paramLabel = "RUN", description = "The run.") String run,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "STEP",
              description = "List those of it alone.")
          @Nullable String step,
      @Parameters(
              index = "2",
              arity = "0..1",
              paramLabel = "NAME",
              description = "Print this output.")
          @Nullable String name) {
    if (step == null || name == null) {
      RunOutputTable.of(session.api().get(Resource.of("runs", run)), step).print(session);
      return 0;
    }
    session.copy(Resource.of("runs", run, "artifacts", step, name), "the artifact");
    return 0;
  }

  @Command(name = "stop", description = "End all steps of a run.")
  int stop(
      @Parameters(paramLabel = "RUN", description = "The run.") String run,
      @Mixin DryRunOption dryRun) {
    return changed(session.api().post(dryRun.at(Resource.of("runs", run, "stop"))), dryRun);
  }

  @Command(name = "pause", description = "Start no further step of a run.")
  int pause(
      @Parameters(paramLabel = "RUN", description = "The run.") String run,
      @Mixin DryRunOption dryRun) {
    return changed(session.api().post(dryRun.at(Resource.of("runs", run, "pause"))), dryRun);
  }

  @Command(name = "resume", description = "Go on with a paused run.")
  int resume(
      @Parameters(paramLabel = "RUN", description = "The run.") String run,
      @Mixin DryRunOption dryRun) {
    return changed(session.api().post(dryRun.at(Resource.of("runs", run, "resume"))), dryRun);
  }

  @Command(
      name = "compare",
      description = {
        "Compare two runs: parameters, metrics, durations, statuses, values and artifacts.",
        "Lines that differ have a star."
      })
  int compare(
      @Parameters(index = "0", paramLabel = "RUN", description = "A run.") String left,
      @Parameters(index = "1", paramLabel = "OTHER", description = "Another run.") String right,
      @Option(names = "--all", description = "Print what is the same as well.") boolean all) {
    JsonNode comparison = session.api().get(Resource.of("runs", left, "compare", right));
    if (session.json()) {
      session.print(comparison);
    } else {
      RunDifferences.print(session, comparison, all);
    }
    return 0;
  }

  @Command(
      name = "delete",
      description = "Delete a run that is over, with its logs, unless something refers to it.")
  int delete(@Parameters(paramLabel = "RUN", description = "The run.") String run) {
    session.api().delete(Resource.of("runs", run));
    return 0;
  }

  @Command(
      name = "retry",
      description = "Run the steps that did not succeed again, and all that depend on them.")
  int retry(
      @Parameters(paramLabel = "RUN", description = "The run.") String run,
      @Option(
              names = "--step",
              arity = "1",
              paramLabel = "NAME",
              description = "This step or task, even if it succeeded; may be repeated.")
          @Nullable List<String> steps,
      @Mixin DryRunOption dryRun) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (steps != null) {
      ArrayNode names = body.putArray("steps");
      steps.forEach(names::add);
    }
    Resource retry = dryRun.at(Resource.of("runs", run, "retry"));
    return changed(session.api().post(retry, body.toString(), "application/json"), dryRun);
  }

  @Command(name = "approve", description = "Approve what a step asks: those after it go on.")
  int approve(
      @Parameters(index = "0", paramLabel = "RUN", description = "The run.") String run,
      @Parameters(index = "1", paramLabel = "STEP", description = "The step.") String step,
      @Option(names = "--why", paramLabel = "TEXT", description = "Shown in the step.")
          @Nullable String why,
      @Mixin DryRunOption dryRun) {
    return answer(run, step, "approve", why, dryRun);
  }

  @Command(name = "refuse", description = "Refuse what a step asks: it has FAILED then.")
  int refuse(
      @Parameters(index = "0", paramLabel = "RUN", description = "The run.") String run,
      @Parameters(index = "1", paramLabel = "STEP", description = "The step.") String step,
      @Option(names = "--why", paramLabel = "TEXT", description = "Shown in the step.")
          @Nullable String why,
      @Mixin DryRunOption dryRun) {
    return answer(run, step, "refuse", why, dryRun);
  }

  private int answer(
      String run, String step, String verb, @Nullable String why, DryRunOption dryRun) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (why != null) {
      body.put("why", why);
    }
    Resource answer = dryRun.at(Resource.of("runs", run, "steps", step, verb));
    JsonNode answered = session.api().post(answer, body.toString(), "application/json");
    if (session.json()) {
      session.print(answered);
    } else {
      session
          .terminal()
          .out()
          .println(
              "%s %s  %s"
                  .formatted(
                      step, answered.path("status").asText(), answered.path("reason").asText()));
      dryRun.tell(session);
    }
    return 0;
  }

  private int changed(JsonNode run, DryRunOption dryRun) {
    if (session.json()) {
      session.print(run);
    } else {
      session.terminal().out().println(run.path("id").asText() + " " + run.path("status").asText());
      dryRun.tell(session);
    }
    return 0;
  }

  @Command(
      name = "watch",
      description = "Follow a run to its end. Exit code: 0 when it SUCCEEDED, else 1.")
  int watch(@Parameters(paramLabel = "RUN", description = "The run.") String run) {
    return new RunFollower(session, session.api(), interrupts.get(), false).follow(run);
  }
}
