package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.trial.Trial;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about experiments; the orchestrator answers. */
public final class Experiments {
  /** Creates and starts an experiment, or only checks it. Refused with every finding at once. */
  public static final Address<Create, Created> CREATE =
      new Address<>("experiments.create", Create.class, Created.class).waiting(Address.LONG);

  public static final Address<Get, Experiment> GET =
      new Address<>("experiments.get", Get.class, Experiment.class);

  /** The project and owner of an experiment; NotFound when it does not exist. */
  public static final Address<GetOwnership, ResourceOwner> OWNERSHIP =
      new Address<>("experiments.ownership", GetOwnership.class, ResourceOwner.class);

  /** Newest first. */
  public static final Address<ListAll, Page> LIST =
      new Address<>("experiments.list", ListAll.class, Page.class);

  /** Changes limits or the search space of an experiment, running or not. */
  public static final Address<Change, Experiment> CHANGE =
      new Address<>("experiments.change", Change.class, Experiment.class);

  /**
   * Checks a change as {@link #CHANGE} does; answers with the experiment as it is, with the
   * configuration that it would have.
   */
  public static final Address<Change, Experiment> CHECK_CHANGE =
      new Address<>("experiments.checkChange", Change.class, Experiment.class);

  /** Stops, pauses or resumes; answers with the experiment after the request was taken. */
  public static final Address<Command, Experiment> COMMAND =
      new Address<>("experiments.command", Command.class, Experiment.class).waiting(Address.LONG);

  /** Checks a command as {@link #COMMAND} does; answers with the experiment as it is. */
  public static final Address<Command, Experiment> CHECK_COMMAND =
      new Address<>("experiments.checkCommand", Command.class, Experiment.class);

  /** Deletes an experiment that is over; answers when it is gone. */
  public static final Address<Delete, Deleted> DELETE =
      new Address<>("experiments.delete", Delete.class, Deleted.class).waiting(Address.LONG);

  /** Brings a configuration into v3 form. Refused when it cannot be read. */
  public static final Address<Convert, Converted> CONVERT =
      new Address<>("experiments.convert", Convert.class, Converted.class).waiting(Address.LONG);

  /**
   * Puts an experiment back that ran elsewhere, with its trials and what they reported. It has
   * ended, and may be resumed. Refused as CREATE refuses; Conflict when its id is taken.
   */
  public static final Address<Restore, Experiment> RESTORE =
      new Address<>("experiments.restore", Restore.class, Experiment.class).waiting(Address.LONG);

  /** What happens to one experiment: {@code EVENTS.of(id)}. */
  public static final Topic<ExperimentEvent> EVENTS =
      new Topic<>("experiments.events", ExperimentEvent.class);

  /** What happens to any experiment as a whole: it changed, or was deleted. Nothing of trials. */
  public static final Topic<ExperimentEvent> NEWS =
      new Topic<>("experiments.news", ExperimentEvent.class);

  private Experiments() {}

  /** The name of the lease under which an experiment is owned. */
  public static String lease(ExperimentId id) {
    return "experiment/" + id;
  }

  /**
   * A request to create an experiment.
   *
   * @param text the configuration, YAML or JSON, NNI v1, v2 or v3
   * @param base absolute directory that relative paths start from; null allows absolute ones only
   * @param dryRun check only
   * @param id the id to use; null makes one
   * @param ownership the project that it is created in, and its author
   * @param serverFiles whether the author may name files, variables and clusters of the server
   */
  public record Create(
      String text,
      @Nullable String base,
      boolean dryRun,
      @Nullable ExperimentId id,
      ResourceOwner ownership,
      boolean serverFiles) {
    /** The same without a creation. */
    public Create asCheck() {
      return new Create(text, base, true, id, ownership, serverFiles);
    }

    /** A check of a configuration that is not created. */
    public static Create check(
        String text, @Nullable String base, ResourceOwner ownership, boolean serverFiles) {
      return new Create(text, base, true, null, ownership, serverFiles);
    }

    /** A creation by an administrator without an owner, in the project {@code public}. */
    public static Create unowned(
        String text, @Nullable String base, boolean dryRun, @Nullable ExperimentId id) {
      return new Create(text, base, dryRun, id, ResourceOwner.PUBLIC, true);
    }
  }

  /**
   * The experiment that was created.
   *
   * @param experiment null for a dry run
   * @param spec what was understood
   * @param notices what the author should know, in full sentences
   */
  public record Created(
      @Nullable Experiment experiment, ExperimentSpec spec, List<String> notices) {
    public Created {
      notices = List.copyOf(notices);
    }
  }

  public record Convert(String text) {}

  /**
   * A converted configuration.
   *
   * @param config JSON in v3 form; nothing is completed, no path is looked at
   * @param changes what became of keys that v3 has under another name, in full sentences
   */
  public record Converted(String config, List<String> changes) {
    public Converted {
      changes = List.copyOf(changes);
    }
  }

  /**
   * A request to restore an experiment from an archive.
   *
   * @param create the configuration, with the id that it had
   * @param status how it ended; any that is not final is taken for STOPPED
   * @param executionSeconds how long it ran
   * @param trials by sequence id; those that have not ended are planned again
   * @param points what the attempts of these trials reported
   * @param annotations notes and tags of the experiment and of these trials
   */
  public record Restore(
      Create create,
      ExperimentStatus status,
      double executionSeconds,
      Instant createdAt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      List<Trial> trials,
      List<MetricPoint> points,
      List<Annotations.Brought> annotations) {
    public Restore {
      trials = List.copyOf(trials);
      points = List.copyOf(points);
      annotations = List.copyOf(annotations);
    }
  }

  public record Get(ExperimentId id) {}

  public record GetOwnership(ExperimentId id) {}

  /**
   * A request for a page of experiments.
   *
   * @param cursor where the page before ended, null for the first
   * @param limit 1 to 1,000
   * @param among the projects to look in; null for all
   * @param owner the user whose experiments are meant; null for those of all users
   */
  public record ListAll(
      @Nullable String cursor,
      int limit,
      @Nullable List<ProjectName> among,
      @Nullable String owner) {
    public ListAll {
      among = among == null ? null : List.copyOf(among);
    }

    /** A page of all experiments. */
    public static ListAll of(@Nullable String cursor, int limit) {
      return new ListAll(cursor, limit, null, null);
    }

    /** The first page of one project. */
    public static ListAll in(ProjectName project, int limit) {
      return new ListAll(null, limit, List.of(project), null);
    }
  }

  /**
   * A page of experiments.
   *
   * @param next the cursor of the page after, null when this is the last
   */
  public record Page(List<Experiment> items, @Nullable String next) {
    public Page {
      items = List.copyOf(items);
    }
  }

  /**
   * A request to change an experiment.
   *
   * @param patch JSON object with any of trialConcurrency, maxTrialNumber, maxExperimentDuration,
   *     searchSpace; null lifts a limit
   */
  public record Change(ExperimentId id, String patch) {}

  public record Command(ExperimentId id, Action action) {}

  /** Forgets a stopped or ended experiment and all of its data. */
  public record Delete(ExperimentId id) {}

  /**
   * The experiment that was deleted.
   *
   * @param experiment as it was
   * @param notices what may be left on its platform, in full sentences
   */
  public record Deleted(Experiment experiment, List<String> notices) {
    public Deleted {
      notices = List.copyOf(notices);
    }
  }

  /** A command to an experiment. */
  public enum Action {
    /** Ends all trials and the experiment. */
    STOP,
    /** Starts no more trials; those that run go on. */
    PAUSE,
    /** Goes on after a pause or a stop. */
    RESUME
  }
}
