package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.project.HostMounts;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import io.orrery.core.trial.Parameters;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about runs of pipelines; the orchestrator answers. */
public final class PipelineRuns {
  /** The most bytes of a piece of an artifact. */
  public static final int MOST_PIECE = 256 << 10;

  /** The most runs of one question about statuses. */
  public static final int MOST_STATUSES = 500;

  /** Stores a run, which then goes by itself; one with an id that is there changes nothing. */
  public static final Address<Create, Done> CREATE =
      new Address<>("runs.create", Create.class, Done.class).waiting(Address.LONG);

  /** Forgets a run that is over, with its rows and files; Conflict for one that is not. */
  public static final Address<Delete, Done> DELETE =
      new Address<>("runs.delete", Delete.class, Done.class).waiting(Address.LONG);

  /** A page of runs, the newest first. */
  public static final Address<ListRuns, RunPage> LIST =
      new Address<>("runs.list", ListRuns.class, RunPage.class);

  /** A page of runs that were over before a time, the oldest first. */
  public static final Address<AskEnded, RunPage> ENDED =
      new Address<>("runs.ended", AskEnded.class, RunPage.class);

  public static final Address<GetRun, RunView> GET =
      new Address<>("runs.get", GetRun.class, RunView.class);

  /** The outputs that each step of a run uses; NotFound for an unknown run. */
  public static final Address<GetLineage, Lineage> LINEAGE =
      new Address<>("runs.lineage", GetLineage.class, Lineage.class);

  /** The use that the tasks of a pipeline have made of their machines in its latest runs. */
  public static final Address<AskUses, Uses> USES =
      new Address<>("runs.uses", AskUses.class, Uses.class);

  /** The statuses of runs; one that is not there is left out. */
  public static final Address<AskStatuses, Statuses> STATUSES =
      new Address<>("runs.statuses", AskStatuses.class, Statuses.class);

  /** Gives a run a command; answers when that is durable. Conflict when the run cannot take it. */
  public static final Address<Command, RunView> COMMAND =
      new Address<>("runs.command", Command.class, RunView.class);

  /** Approves or refuses what a step asks; answers when that is durable. */
  public static final Address<Decide, RunView> DECIDE =
      new Address<>("runs.decide", Decide.class, RunView.class);

  /** A piece of what a step wrote. */
  public static final Address<ReadLog, LogPiece> READ_LOG =
      new Address<>("runs.log", ReadLog.class, LogPiece.class);

  /** A piece of an output of a step. */
  public static final Address<ReadOutput, OutputPiece> READ_OUTPUT =
      new Address<>("runs.output", ReadOutput.class, OutputPiece.class);

  /** The training services that steps can run on. */
  public static final Address<AskPlatforms, Platforms> PLATFORMS =
      new Address<>("runs.platforms", AskPlatforms.class, Platforms.class);

  /** Whether steps can run on a training service that is set so; Refused with every finding. */
  public static final Address<CheckService, Done> CHECK_SERVICE =
      new Address<>("runs.service", CheckService.class, Done.class);

  /** Told when the state of a run changed. */
  public static final Topic<Changed> CHANGED = new Topic<>("runs.changed", Changed.class);

  private PipelineRuns() {}

  /**
   * A new run.
   *
   * @param taken null when all its steps are to run
   */
  public record Create(RunSpec spec, @Nullable Taken taken) {
    /** A run of all steps. */
    public Create(RunSpec spec) {
      this(spec, null);
    }
  }

  /**
   * The steps of a new run that do not run: their outputs are those of another run.
   *
   * @param steps their names
   * @param from null for the newest run of the pipeline in which all of them have succeeded
   */
  public record Taken(List<String> steps, @Nullable RunId from) {
    public Taken {
      steps = List.copyOf(steps);
    }
  }

  public record Delete(RunId id) {}

  /**
   * A training service as a task names it.
   *
   * @param service the keys of its section as they are written
   * @param gpus of a step; null when it asks for none
   * @param owner of the pipeline
   * @param secrets whether a variable of the task is a secret
   */
  public record CheckService(
      TrainingServiceSpec service, @Nullable Integer gpus, ResourceOwner owner, boolean secrets) {
    /** The settings may name accounts. */
    @Override
    public String toString() {
      return "CheckService[" + service.platform() + "]";
    }
  }

  /**
   * A request for a page of runs.
   *
   * @param among the projects whose runs may be seen; null for all
   * @param owner who started them; null for any user
   * @param trigger null for any
   * @param text null, or what id or pipeline contain
   */
  public record ListRuns(
      @Nullable List<ProjectName> among,
      @Nullable String pipeline,
      @Nullable String owner,
      @Nullable RunStatus status,
      @Nullable String trigger,
      @Nullable String text,
      @Nullable String cursor,
      int limit) {
    public ListRuns {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of runs.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record RunPage(List<Run> items, @Nullable String next) {
    public RunPage {
      items = List.copyOf(items);
    }
  }

  /**
   * A run without its steps.
   *
   * @param owner who started it
   * @param creator the owner of the pipeline
   * @param error why it failed; null when it did not
   */
  public record Run(
      RunId id,
      String pipeline,
      int version,
      ProjectName project,
      String owner,
      String creator,
      String trigger,
      @Nullable Instant due,
      Parameters parameters,
      RunStatus status,
      Instant createdAt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String error) {}

  /**
   * A step of a run.
   *
   * @param each the values of the step, of a task that has a step for each value
   * @param platform where it runs, as in its specification
   * @param attempt the number of the last attempt; 0 before the first
   * @param cachedFrom the run whose outputs it took
   * @param commit of its code; null for code that comes from no Git repository
   */
  public record Step(
      String name,
      String task,
      Map<String, String> each,
      String platform,
      StepStatus status,
      @Nullable String reason,
      int attempt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Integer exitCode,
      List<StepOutput> outputs,
      @Nullable RunId cachedFrom,
      @Nullable String commit) {
    public Step {
      each = Collections.unmodifiableMap(new LinkedHashMap<>(each));
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * A request for runs that are over.
   *
   * @param cursor the {@code next} of the page before; null for the first
   */
  public record AskEnded(Instant before, @Nullable String cursor, int limit) {}

  public record GetRun(RunId id) {}

  public record GetLineage(RunId id) {}

  /** The uses of a whole run, in the order of its steps. */
  public record Lineage(List<Use> uses) {
    public Lineage {
      uses = List.copyOf(uses);
    }
  }

  /**
   * A use of an output of a task by a step.
   *
   * @param input the name below {@code $ORRERY_INPUTS}; null for an output that stands in a text or
   *     a condition
   */
  public record Use(String step, @Nullable String input, OutputRef output) {}

  public record AskUses(PipelineName pipeline, ProjectName project) {}

  public record Uses(List<UseOf> items) {
    public Uses {
      items = List.copyOf(items);
    }
  }

  /**
   * A sum of what the steps of a task have used at most.
   *
   * @param runs in which it was measured
   * @param memory of a step, in bytes
   * @param cpuMillis thousandths of a processor, on average over a step
   */
  public record UseOf(String task, int runs, long memory, long cpuMillis) {}

  /**
   * A request for statuses.
   *
   * @param ids at most {@value #MOST_STATUSES}
   */
  public record AskStatuses(List<RunId> ids) {
    public AskStatuses {
      ids = List.copyOf(ids);
    }
  }

  public record Statuses(List<StatusOf> items) {
    public Statuses {
      items = List.copyOf(items);
    }
  }

  public record StatusOf(RunId id, RunStatus status) {}

  /** The state of an alert. */
  public enum AlertState {
    /** It will be sent, or sent again. */
    WAITING,
    /** The receiver has taken it. */
    DELIVERED,
    /** It was not taken, and is not sent again. */
    GIVEN_UP,
    /** It was never sent: too many of the project wait. */
    DROPPED
  }

  /**
   * An alert about a run or a schedule, to one receiver.
   *
   * @param id the same each time that it is sent
   * @param status the word that it tells
   * @param mail the address; null for a request to a webhook
   * @param attempts how often it was sent
   * @param outcome of the last attempt, in words; null before the first
   * @param nextAt when it is sent next; null when it is not
   */
  public record AlertDelivery(
      String id,
      String status,
      @Nullable String mail,
      AlertState state,
      int attempts,
      @Nullable String outcome,
      Instant createdAt,
      @Nullable Instant attemptedAt,
      @Nullable Instant nextAt) {}

  /**
   * A run as a whole.
   *
   * @param alerts the latest, the oldest first
   */
  public record RunView(Run run, List<Step> steps, List<AlertDelivery> alerts) {
    public RunView {
      steps = List.copyOf(steps);
      alerts = List.copyOf(alerts);
    }
  }

  public enum Verb {
    STOP,
    PAUSE,
    RESUME,
    RETRY
  }

  /**
   * A command to a run.
   *
   * @param steps that a retry runs again, with all that depend on them; empty for all that did not
   *     succeed
   */
  public record Command(RunId id, Verb verb, List<String> steps) {
    public Command {
      steps = List.copyOf(steps);
    }
  }

  /**
   * An answer to a step that asks people.
   *
   * @param by who answers
   * @param operates whether the user may operate the run
   * @param why in the words of the user; may be empty
   */
  public record Decide(
      RunId id, String step, boolean approved, String by, boolean operates, String why) {}

  /**
   * A request for a piece of a log.
   *
   * @param attempt null for the last
   * @param offset in bytes; negative counts from the end
   * @param limit the most bytes, 1 or more
   */
  public record ReadLog(
      RunId id,
      String step,
      @Nullable Integer attempt,
      Trials.Stream stream,
      long offset,
      int limit) {}

  /**
   * A request for a piece of an output.
   *
   * @param limit the most bytes, at most {@link #MOST_PIECE}
   */
  public record ReadOutput(RunId id, String step, String name, long offset, int limit) {}

  /** A piece of an output; empty behind its end. */
  public record OutputPiece(StepOutput output, byte[] bytes) {}

  public record AskPlatforms() {}

  /**
   * The training services of steps.
   *
   * @param clusters on which steps with an image can run
   * @param mounts what their containers may mount
   */
  public record Platforms(List<String> names, List<StepCluster> clusters, HostMounts mounts) {
    public Platforms {
      names = List.copyOf(names);
      clusters = List.copyOf(clusters);
    }
  }

  public record Changed(RunId id) {}
}
