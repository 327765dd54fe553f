package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns.AlertDelivery;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about schedules of pipelines and their due runs; the studio answers. */
public final class Schedules {
  /** The most instants of a preview, and the most due runs that one backfill creates. */
  public static final int MOST_INSTANTS = 1_000;

  /** A page of schedules by the names of their pipelines. */
  public static final Address<ListSchedules, SchedulePage> LIST =
      new Address<>("schedules.list", ListSchedules.class, SchedulePage.class);

  /** The schedule of a pipeline; NotFound when it has none. */
  public static final Address<OfSchedule, Schedule> GET =
      new Address<>("schedules.get", OfSchedule.class, Schedule.class);

  /** Puts the key {@code schedule} of a pipeline's document, which is a version of it. */
  public static final Address<PutSchedule, PutDone> PUT =
      new Address<>("schedules.put", PutSchedule.class, PutDone.class).waiting(Address.LONG);

  /** Takes the schedule out of a pipeline's document; due runs that wait are skipped. */
  public static final Address<ChangeSchedule, Done> DELETE =
      new Address<>("schedules.delete", ChangeSchedule.class, Done.class).waiting(Address.LONG);

  /** Lets instants pass until {@link #RESUME}; nothing that waits is submitted. */
  public static final Address<ChangeSchedule, Schedule> PAUSE =
      new Address<>("schedules.pause", ChangeSchedule.class, Schedule.class);

  public static final Address<ChangeSchedule, Schedule> RESUME =
      new Address<>("schedules.resume", ChangeSchedule.class, Schedule.class);

  /** The instants of a span of time. */
  public static final Address<AskInstants, Instants> PREVIEW =
      new Address<>("schedules.preview", AskInstants.class, Instants.class);

  /** Creates due runs for the past instants of a span of time that have none. */
  public static final Address<Backfill, Instants> BACKFILL =
      new Address<>("schedules.backfill", Backfill.class, Instants.class).waiting(Address.LONG);

  /** A page of due runs, the latest due first. */
  public static final Address<ListDueRuns, DueRunPage> DUE_RUNS =
      new Address<>("schedules.duelist", ListDueRuns.class, DueRunPage.class);

  public static final Address<OfDueRun, DueRun> DUE_RUN =
      new Address<>("schedules.due", OfDueRun.class, DueRun.class);

  /** Leaves a due run out, or lets those that depend on it go on without its success. */
  public static final Address<ChangeDueRun, DueRun> SKIP =
      new Address<>("schedules.skip", ChangeDueRun.class, DueRun.class);

  /** Has a due run that is over, or was left out, run again. */
  public static final Address<ChangeDueRun, DueRun> AGAIN =
      new Address<>("schedules.again", ChangeDueRun.class, DueRun.class).waiting(Address.LONG);

  /** Told when a schedule or a due run of a pipeline changed. */
  public static final Topic<Changed> CHANGED = new Topic<>("schedules.changed", Changed.class);

  private Schedules() {}

  /** A rule for instants that the server came to more than a minute late. */
  public enum Missed {
    /** A due run is created for each. */
    ALL,
    /** A due run is created for the latest only, if no later instant has one. */
    LATEST,
    NONE
  }

  /** The status of a due run. */
  public enum DueStatus {
    /** It is due and frozen, and not submitted yet. */
    COMED,
    /** Its run is there. */
    CREATED,
    SKIPPED,
    /** The pipeline could not be frozen into a run. */
    REFUSED
  }

  /**
   * A schedule.
   *
   * @param from the instant before which nothing is due; null for none
   * @param keep the number of due runs that are kept when they are over
   * @param upcoming the next instants, none when it is paused
   * @param alerts the latest about its due runs, the oldest first; none in the answer to a change
   */
  public record Schedule(
      PipelineName pipeline,
      List<String> cron,
      String timeZone,
      @Nullable Instant from,
      boolean dependsOnPast,
      int maxActiveRuns,
      int keep,
      Missed missed,
      boolean paused,
      List<Instant> upcoming,
      List<AlertDelivery> alerts) {
    public Schedule {
      cron = List.copyOf(cron);
      upcoming = List.copyOf(upcoming);
      alerts = List.copyOf(alerts);
    }

    /** The same with alerts. */
    public Schedule withAlerts(List<AlertDelivery> told) {
      return new Schedule(
          pipeline,
          cron,
          timeZone,
          from,
          dependsOnPast,
          maxActiveRuns,
          keep,
          missed,
          paused,
          upcoming,
          told);
    }
  }

  public record OfSchedule(PipelineName pipeline) {}

  /**
   * A request for a page of schedules.
   *
   * @param among the projects whose schedules may be seen; null for all
   */
  public record ListSchedules(
      @Nullable List<ProjectName> among, @Nullable String cursor, int limit) {
    public ListSchedules {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of schedules, without their alerts.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record SchedulePage(List<Schedule> items, @Nullable String next) {
    public SchedulePage {
      items = List.copyOf(items);
    }
  }

  public record ChangeSchedule(Actor by, PipelineName pipeline) {}

  /**
   * A request to put a schedule.
   *
   * @param schedule a JSON object, as in the document of the pipeline
   * @param dryRun whether it is only checked
   */
  public record PutSchedule(Actor by, PipelineName pipeline, String schedule, boolean dryRun) {}

  /** The answer to {@link PutSchedule}: the schedule as it is, or would be after a dry run. */
  public record PutDone(Schedule schedule, Outcome outcome, List<String> notices) {
    public PutDone {
      notices = List.copyOf(notices);
    }
  }

  /**
   * A request for instants.
   *
   * @param from the first, itself included
   * @param to the last, itself included; null for as many as the limit
   */
  public record AskInstants(PipelineName pipeline, Instant from, @Nullable Instant to, int limit) {}

  /**
   * Instants in their order.
   *
   * @param more whether there are more in the span
   */
  public record Instants(List<Instant> items, boolean more) {
    public Instants {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to create due runs.
   *
   * @param from the first, itself included
   * @param to the last, itself included; not in the future
   * @param dryRun whether the instants are only told
   */
  public record Backfill(
      Actor by, PipelineName pipeline, Instant from, Instant to, boolean dryRun) {}

  /**
   * A due run.
   *
   * @param run null before it is submitted
   * @param runStatus the status of the run as it was last seen; null before it is submitted
   * @param reason why it waits, or was not run; null when there is nothing to tell
   * @param createdAt when the row was stored
   * @param submittedAt when the run was there; null before
   */
  public record DueRun(
      String id,
      PipelineName pipeline,
      ProjectName project,
      Instant due,
      DueStatus status,
      @Nullable RunId run,
      @Nullable RunStatus runStatus,
      @Nullable String reason,
      Instant createdAt,
      @Nullable Instant submittedAt) {}

  /**
   * A request for a page of due runs.
   *
   * @param among the projects whose due runs may be seen; null for all
   */
  public record ListDueRuns(
      @Nullable List<ProjectName> among,
      @Nullable PipelineName pipeline,
      @Nullable DueStatus status,
      @Nullable String cursor,
      int limit) {
    public ListDueRuns {
      among = among == null ? null : List.copyOf(among);
    }
  }

  /**
   * A page of due runs.
   *
   * @param next the cursor of the next page; null after the last
   */
  public record DueRunPage(List<DueRun> items, @Nullable String next) {
    public DueRunPage {
      items = List.copyOf(items);
    }
  }

  public record OfDueRun(String id) {}

  public record ChangeDueRun(Actor by, String id) {}

  public record Changed(PipelineName pipeline) {}
}
