package io.orrery.core.bus.contract;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.orrery.core.bus.Address;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objective;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about trials; the orchestrator answers. */
public final class Trials {
  public static final Address<Get, Trial> GET = new Address<>("trials.get", Get.class, Trial.class);

  public static final Address<ListSome, Page> LIST =
      new Address<>("trials.list", ListSome.class, Page.class);

  /** All trials of an experiment as columns, thinned out: what its charts are drawn from. */
  public static final Address<PointsOf, Points> POINTS =
      new Address<>("trials.points", PointsOf.class, Points.class);

  /**
   * Queues a trial with parameters that a user chose; it counts to maxTrialNumber. Refused when
   * names or kinds of values are not those of the search space; values outside of it are taken.
   */
  public static final Address<Add, Trial> ADD = new Address<>("trials.add", Add.class, Trial.class);

  /** Checks an addition as {@link #ADD} does; adds nothing. */
  public static final Address<Add, Checked> CHECK_ADD =
      new Address<>("trials.checkAdd", Add.class, Checked.class);

  /**
   * Brings in results of elsewhere: each becomes a trial that has SUCCEEDED without having run, and
   * the tuner knows it from the next suggestion on. Such trials do not count to maxTrialNumber, and
   * an experiment that is over stays so. All or none; the answer comes when they are durable.
   *
   * <p>Refused with every finding. A result that the experiment has already, the same parameters
   * with the same value, is not brought in again: so an import whose answer got lost may be
   * repeated.
   */
  public static final Address<Import, Imported> IMPORT =
      new Address<>("trials.import", Import.class, Imported.class).waiting(Address.LONG);

  /** Checks an import as {@link #IMPORT} does; the outcome is the one that there would be. */
  public static final Address<Import, Imported> CHECK_IMPORT =
      new Address<>("trials.checkImport", Import.class, Imported.class).waiting(Address.LONG);

  /** Ends a trial; answers once the intent is durable, the trial ends soon after. */
  public static final Address<Cancel, Trial> CANCEL =
      new Address<>("trials.cancel", Cancel.class, Trial.class);

  /** Checks a cancellation as {@link #CANCEL} does; answers with the trial as it is. */
  public static final Address<Cancel, Trial> CHECK_CANCEL =
      new Address<>("trials.checkCancel", Cancel.class, Trial.class);

  /** Runs an ended trial again, as its next attempt, with the same parameters. */
  public static final Address<Retry, Trial> RETRY =
      new Address<>("trials.retry", Retry.class, Trial.class);

  /** Checks a retry as {@link #RETRY} does; answers with the trial as it is. */
  public static final Address<Retry, Trial> CHECK_RETRY =
      new Address<>("trials.checkRetry", Retry.class, Trial.class);

  /**
   * A running attempt asks for its next parameter set. The answer is durable when it comes, and the
   * same question has the same answer: nothing is handed out twice, and nothing is lost.
   *
   * <p>Busy while there is none yet: to be asked again. NotFound when the attempt is over. Refused
   * when trials of its experiment have one set each.
   */
  public static final Address<NextOf, Next> NEXT =
      new Address<>("trials.next", NextOf.class, Next.class);

  /** A piece of one of a trial's output files. */
  public static final Address<ReadLog, LogPiece> READ_LOG =
      new Address<>("trials.log", ReadLog.class, LogPiece.class);

  /**
   * The results of an experiment that no other result dominates: for each of them, no trial is
   * better in one objective and worse in none.
   */
  public static final Address<FrontOf, ParetoFront> FRONT =
      new Address<>("trials.front", FrontOf.class, ParetoFront.class);

  /** What a tuner must know of the past, in the order in which it happened. */
  public static final Address<ReadHistory, History> HISTORY =
      new Address<>("trials.history", ReadHistory.class, History.class);

  private Trials() {}

  public record Get(TrialRef trial) {}

  /**
   * A page begins at its cursor, or at its offset, or at the first trial.
   *
   * @param status only these, null for all
   * @param sort a {@link io.orrery.core.trial.TrialOrder} as users write it; null is sequenceId
   * @param query text that id, status or parameters must contain, null for all
   * @param where all of these must hold
   * @param cursor from {@link Page#next} of a page with the same order and the same narrowing; any
   *     other is refused
   * @param offset how many trials to leave out; null together with a cursor
   * @param counted whether the answer says how many there are
   * @param limit 1 to 1,000
   */
  public record ListSome(
      ExperimentId experiment,
      @Nullable TrialStatus status,
      @Nullable String sort,
      @Nullable String query,
      List<TrialCondition> where,
      @Nullable String cursor,
      @Nullable Long offset,
      boolean counted,
      int limit) {
    public ListSome {
      where = List.copyOf(where);
    }

    /** A list that is read from page to page. */
    public ListSome(
        ExperimentId experiment,
        @Nullable TrialStatus status,
        @Nullable String sort,
        @Nullable String query,
        @Nullable String cursor,
        int limit) {
      this(experiment, status, sort, query, List.of(), cursor, null, false, limit);
    }
  }

  /**
   * A page of trials.
   *
   * @param total how many trials there are on all pages, null unless it was asked for
   */
  public record Page(List<Trial> items, @Nullable String next, @Nullable Long total) {
    public Page {
      items = List.copyOf(items);
    }

    public Page(List<Trial> items, @Nullable String next) {
      this(items, next, null);
    }
  }

  /**
   * A request for the results of trials as points.
   *
   * @param key which entry of results that are objects; null or {@code default} for the number that
   *     the search looks at
   * @param direction which results of that key are good, null for the direction of the search
   * @param maxPoints at most this many trials, 10 to 20,000
   */
  public record PointsOf(
      ExperimentId experiment,
      @Nullable String key,
      @Nullable Direction direction,
      int maxPoints) {}

  /**
   * The rows of trials, as columns of equal length. Rows stand in the order in which the trials
   * settled; those that have not come last, by sequence. Where there are more trials than were
   * asked for, these are always kept: the best, each one that was better than all before it, the
   * lowest and the highest, the newest; of the others every so-and-so-many-th.
   *
   * @param total how many trials there are before thinning out
   * @param keys which entries the results of these trials have, {@code default} first
   * @param metric of the key that was asked for
   * @param best the best result up to and including this row, null before the first usable one and
   *     in rows that have not settled
   * @param duration seconds from start to end, null while it runs
   * @param parameters by name; null where a trial does not have the parameter
   */
  public record Points(
      long total,
      List<String> keys,
      List<String> trial,
      List<Long> sequenceId,
      List<TrialStatus> status,
      List<@Nullable Double> metric,
      List<@Nullable Double> best,
      List<@Nullable Instant> startedAt,
      List<@Nullable Double> duration,
      Map<String, List<@Nullable Object>> parameters) {
    public Points {
      keys = List.copyOf(keys);
      trial = List.copyOf(trial);
      sequenceId = List.copyOf(sequenceId);
      status = List.copyOf(status);
      metric = frozen(metric);
      best = frozen(best);
      startedAt = frozen(startedAt);
      duration = frozen(duration);
      Map<String, List<@Nullable Object>> columns = new LinkedHashMap<>();
      parameters.forEach((name, column) -> columns.put(name, frozen(column)));
      parameters = Collections.unmodifiableMap(columns);
    }

    private static <T extends @Nullable Object> List<T> frozen(List<T> column) {
      return Collections.unmodifiableList(new ArrayList<>(column));
    }
  }

  /**
   * A request for the Pareto front of an experiment.
   *
   * @param limit most members to answer with, 1 to 1,000
   */
  public record FrontOf(ExperimentId experiment, int limit) {}

  /**
   * The Pareto front of an experiment.
   *
   * @param objectives in the order of the values
   * @param members those that are best in the first objective first. Of more than were asked for
   *     the ends of the front, and so-and-so-many between them
   * @param total how many members there are
   * @param trials how many trials have a finite number for every objective
   */
  public record ParetoFront(
      List<Objective> objectives, List<FrontMember> members, int total, long trials) {
    public ParetoFront {
      objectives = List.copyOf(objectives);
      members = List.copyOf(members);
    }
  }

  /**
   * A member of a Pareto front.
   *
   * @param values one for each objective
   */
  public record FrontMember(
      TrialId trial, long sequenceId, List<Double> values, Parameters parameters) {
    public FrontMember {
      values = List.copyOf(values);
    }
  }

  public record Add(ExperimentId experiment, Parameters parameters) {}

  /**
   * The answer to a check of values that would be taken.
   *
   * @param notices what is odd about them, in full sentences
   */
  public record Checked(List<String> notices) {
    public Checked {
      notices = List.copyOf(notices);
    }
  }

  /**
   * A request to import results.
   *
   * @param document JSON: a list of at most 10,000 objects {@code {"parameter": {…}, "value":
   *     0.9}}, as NNI has it and as an export of ours is
   */
  public record Import(ExperimentId experiment, String document) {}

  /**
   * The outcome of an import.
   *
   * @param imported how many trials there are more
   * @param duplicates how many results were there already
   * @param notices what is odd about results that were taken, in full sentences
   */
  public record Imported(int imported, int duplicates, List<String> notices) {
    public Imported {
      notices = List.copyOf(notices);
    }
  }

  public record Cancel(TrialRef trial) {}

  public record Retry(TrialRef trial) {}

  /**
   * A request for a further parameter set.
   *
   * @param index of the wanted set, 1 or more: the first one comes with the attempt
   */
  public record NextOf(AttemptRef attempt, int index) {}

  /**
   * The answer to a request for a set.
   *
   * @param set null when there is no more to try
   */
  public record Next(@Nullable ParameterSet set) {}

  /** An output of a trial: a stream of its process, or the file {@code trial.log}. */
  public enum Stream {
    STDOUT,
    STDERR,
    TRIAL
  }

  /**
   * A request for a piece of a log.
   *
   * @param attempt which attempt, null for the last
   * @param offset byte to start from; negative counts from the end
   * @param limit most bytes to answer with, 1 to 1,048,576
   */
  public record ReadLog(
      TrialRef trial, @Nullable Integer attempt, Stream stream, long offset, int limit) {}

  /**
   * A piece of a log.
   *
   * @param bytes as the trial wrote them
   * @param next the offset after the last byte
   * @param complete whether nothing will follow: the attempt has ended and this is its end
   */
  public record LogPiece(byte[] bytes, long next, boolean complete) {}

  /**
   * A request for a page of history.
   *
   * @param after the ordinal of the last entry already known, 0 for none
   * @param limit most entries, 1 to 10,000
   */
  public record ReadHistory(ExperimentId experiment, long after, int limit) {}

  /** Entries by rising ordinal. */
  public record History(List<Entry> entries) {
    public History {
      entries = List.copyOf(entries);
    }
  }

  /** An entry of a tuner's history: a suggestion or a result. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Suggested.class, name = "suggested"),
    @JsonSubTypes.Type(value = Settled.class, name = "settled"),
  })
  public sealed interface Entry {
    /** Its place in the experiment's history, from 1, without repetition. */
    long ordinal();
  }

  /**
   * A trial was planned, or one that runs was given another set.
   *
   * @param parameterId the tuner's number of the suggestion; null when a user chose the values
   */
  public record Suggested(long ordinal, @Nullable String parameterId, Parameters parameters)
      implements Entry {}

  /**
   * A trial came to its end; one of several sets also with each that it goes on from, which counts
   * as succeeded.
   *
   * @param trial which one; what it reported on the way is found by it
   * @param result its final metric, null when it reported none
   * @param duration from its start to its end, in milliseconds, as its platform told of them; null
   *     where it did not run, and for one of several sets
   */
  public record Settled(
      long ordinal,
      TrialId trial,
      @Nullable String parameterId,
      Parameters parameters,
      TrialStatus status,
      @Nullable MetricValue result,
      @Nullable Duration duration)
      implements Entry {
    /** Of one whose duration is not known. */
    public Settled(
        long ordinal,
        TrialId trial,
        @Nullable String parameterId,
        Parameters parameters,
        TrialStatus status,
        @Nullable MetricValue result) {
      this(ordinal, trial, parameterId, parameters, status, result, null);
    }
  }
}
