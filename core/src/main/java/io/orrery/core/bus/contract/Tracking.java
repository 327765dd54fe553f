package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.tracking.TrackedPoints;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Questions about what tracking clients such as MLflow's log: experiments with runs, which have
 * parameters, tags and points of metrics. The studio answers.
 */
public final class Tracking {
  /** The experiment that is always there. */
  public static final String DEFAULT = "0";

  /** The most runs, or experiments, of a page. */
  public static final int MOST_ITEMS = 1_000;

  /** The tag that has the name of a run. */
  public static final String NAME_TAG = "mlflow.runName";

  public static final Address<CreateExperiment, TrackedExperiment> CREATE_EXPERIMENT =
      new Address<>("tracking.createexperiment", CreateExperiment.class, TrackedExperiment.class);

  /** An experiment by its id, or by its name; NotFound. */
  public static final Address<FindExperiment, TrackedExperiment> EXPERIMENT =
      new Address<>("tracking.experiment", FindExperiment.class, TrackedExperiment.class);

  public static final Address<SearchExperiments, ExperimentPage> EXPERIMENTS =
      new Address<>("tracking.experiments", SearchExperiments.class, ExperimentPage.class);

  /** Renames, deletes, restores or tags an experiment; deleting takes its runs along. */
  public static final Address<ChangeExperiment, Done> CHANGE_EXPERIMENT =
      new Address<>("tracking.changeexperiment", ChangeExperiment.class, Done.class);

  public static final Address<CreateRun, TrackedRun> CREATE_RUN =
      new Address<>("tracking.createrun", CreateRun.class, TrackedRun.class);

  /** A run with all that was logged; NotFound. */
  public static final Address<OfRun, TrackedRun> RUN =
      new Address<>("tracking.run", OfRun.class, TrackedRun.class);

  /** The owner of a run and whether it may be logged to; NotFound. */
  public static final Address<OfRun, RunState> STATE =
      new Address<>("tracking.state", OfRun.class, RunState.class);

  public static final Address<SearchRuns, RunPage> RUNS =
      new Address<>("tracking.runs", SearchRuns.class, RunPage.class).waiting(Address.LONG);

  /** Changes status, end or name of a run, deletes or restores it. */
  public static final Address<ChangeRun, RunInfo> CHANGE_RUN =
      new Address<>("tracking.changerun", ChangeRun.class, RunInfo.class);

  /**
   * Stores points, parameters and tags; all or nothing, and durable when answered. The same again
   * changes nothing. Refused when a parameter has another value already.
   */
  public static final Address<Log, Done> LOG = new Address<>("tracking.log", Log.class, Done.class);

  /** The points of a metric, in the order in which they were logged. */
  public static final Address<HistoryOf, History> HISTORY =
      new Address<>("tracking.history", HistoryOf.class, History.class);

  private Tracking() {}

  /** The state of a run. */
  public enum RunStatus {
    RUNNING,
    SCHEDULED,
    FINISHED,
    FAILED,
    KILLED;

    /** The status of a word; empty when there is none. */
    public static Optional<RunStatus> of(String word) {
      return Arrays.stream(values())
          .filter(status -> status.name().equals(word.toUpperCase(Locale.ROOT)))
          .findFirst();
    }
  }

  /** The objects that a search sees: those that are not deleted, those that are, or all. */
  public enum View {
    ACTIVE_ONLY,
    DELETED_ONLY,
    ALL
  }

  /** An experiment of a tracking client. */
  public record TrackedExperiment(
      String id,
      ResourceOwner ownership,
      String name,
      boolean deleted,
      Map<String, String> tags,
      Instant createdAt,
      Instant changedAt) {
    public TrackedExperiment {
      tags = Map.copyOf(tags);
    }
  }

  /** A request to create an experiment; Conflict when the project has one of this name. */
  public record CreateExperiment(
      Actor by, ResourceOwner ownership, String name, Map<String, String> tags) {
    public CreateExperiment {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * A question for an experiment; either id or name is given.
   *
   * @param among for a name: the projects to look in, the first one that has it counts; null for
   *     all
   */
  public record FindExperiment(
      @Nullable String id, @Nullable String name, @Nullable List<ProjectName> among) {
    public FindExperiment {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A search for experiments.
   *
   * @param among the projects whose experiments may be seen; null for all
   * @param filter in MLflow's grammar; empty for all
   * @param order keys in MLflow's grammar
   */
  public record SearchExperiments(
      @Nullable List<ProjectName> among,
      String filter,
      List<String> order,
      View view,
      int limit,
      long offset) {
    public SearchExperiments {
      among = among == null ? null : List.copyOf(among);
      order = List.copyOf(order);
    }
  }

  /**
   * A page of experiments.
   *
   * @param more whether there are more behind it
   */
  public record ExperimentPage(List<TrackedExperiment> items, boolean more) {
    public ExperimentPage {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to change an experiment; what is null stays.
   *
   * @param tags that are set
   */
  public record ChangeExperiment(
      Actor by,
      String id,
      @Nullable String name,
      @Nullable Boolean deleted,
      Map<String, String> tags) {
    public ChangeExperiment {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * A request to create a run.
   *
   * @param owner the caller
   * @param user as the client names its user
   * @param startedAt milliseconds since the epoch
   */
  public record CreateRun(
      Actor by,
      String experiment,
      String owner,
      String user,
      String name,
      long startedAt,
      Map<String, String> tags) {
    public CreateRun {
      tags = Map.copyOf(tags);
    }
  }

  public record OfRun(String id) {}

  /** The part of a run that decides upon requests. */
  public record RunState(String id, String experiment, ResourceOwner ownership, boolean deleted) {}

  /**
   * A run without what was logged.
   *
   * @param startedAt milliseconds since the epoch
   * @param endedAt the same; null while it runs
   */
  public record RunInfo(
      String id,
      String experiment,
      ResourceOwner ownership,
      String user,
      String name,
      RunStatus status,
      boolean deleted,
      long startedAt,
      @Nullable Long endedAt) {}

  /**
   * A run with all that was logged.
   *
   * @param metrics the latest point of each metric
   * @param interim those of them that are an intermediate result of a trial without a final one:
   *     filters and orders take them for missing
   */
  public record TrackedRun(
      RunInfo info,
      Map<String, TrackedPoints.Point> metrics,
      Set<String> interim,
      Map<String, String> parameters,
      Map<String, String> tags) {
    public TrackedRun {
      interim = interim == null ? Set.of() : Set.copyOf(interim);
      metrics = Map.copyOf(metrics);
      parameters = Map.copyOf(parameters);
      tags = Map.copyOf(tags);
    }
  }

  /** A search for runs; as {@link SearchExperiments}, in some experiments. */
  public record SearchRuns(
      List<String> experiments,
      @Nullable List<ProjectName> among,
      String filter,
      List<String> order,
      View view,
      int limit,
      long offset) {
    public SearchRuns {
      experiments = List.copyOf(experiments);
      among = among == null ? null : List.copyOf(among);
      order = List.copyOf(order);
    }
  }

  /**
   * A page of runs.
   *
   * @param more whether there are more behind it
   */
  public record RunPage(List<TrackedRun> items, boolean more) {
    public RunPage {
      items = List.copyOf(items);
    }
  }

  /** A request to change a run; what is null stays. */
  public record ChangeRun(
      Actor by,
      String id,
      @Nullable RunStatus status,
      @Nullable Long endedAt,
      @Nullable String name,
      @Nullable Boolean deleted) {}

  /**
   * Points of one metric that were logged together.
   *
   * @param packed by {@link TrackedPoints}
   */
  public record MetricChunk(String metric, byte[] packed, TrackedPoints.Point latest) {}

  /**
   * A request to log.
   *
   * @param dropped tags that are removed; Refused when one is not there
   */
  public record Log(
      String run,
      List<MetricChunk> metrics,
      Map<String, String> parameters,
      Map<String, String> tags,
      List<String> dropped) {
    public Log {
      metrics = List.copyOf(metrics);
      parameters = Map.copyOf(parameters);
      tags = Map.copyOf(tags);
      dropped = List.copyOf(dropped);
    }
  }

  /**
   * A question for points.
   *
   * @param cursor {@link History#next} of the page before; null for the first
   * @param limit the page ends soon after this many
   */
  public record HistoryOf(String run, String metric, @Nullable String cursor, int limit) {}

  /**
   * A page of points.
   *
   * @param packed by {@link TrackedPoints}
   * @param next the cursor of the next page; null after the last
   */
  public record History(byte[] packed, @Nullable String next) {}
}
