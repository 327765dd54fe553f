package io.orrery.core.bus.contract;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Questions about builds of images. The studio keeps them; the orchestrator runs them. */
public final class Builds {
  /** The most builds of a project. */
  public static final int MOST = 200;

  /** The most builds that wait or run, in all projects. */
  public static final int MOST_UNFINISHED = 100;

  public static final Address<ListBuilds, BuildList> LIST =
      new Address<>("builds.list", ListBuilds.class, BuildList.class);

  public static final Address<GetBuild, ImageBuild> GET =
      new Address<>("builds.get", GetBuild.class, ImageBuild.class);

  /** Stores a document, and starts the build when the document is new or another one. */
  public static final Address<PutBuild, PutBuildDone> PUT =
      new Address<>("builds.put", PutBuild.class, PutBuildDone.class, Address.LONG);

  /** Starts the build of a stored document again. */
  public static final Address<StartBuild, ImageBuild> START =
      new Address<>("builds.start", StartBuild.class, ImageBuild.class);

  public static final Address<CancelBuild, ImageBuild> CANCEL =
      new Address<>("builds.cancel", CancelBuild.class, ImageBuild.class);

  public static final Address<DeleteBuild, Done> DELETE =
      new Address<>("builds.delete", DeleteBuild.class, Done.class);

  /** The builds that wait or run, in the order in which they were started. */
  public static final Address<AskUnfinished, BuildList> UNFINISHED =
      new Address<>("builds.unfinished", AskUnfinished.class, BuildList.class);

  /** Notes what has become of a build; nothing happens when it was started again or is over. */
  public static final Address<ReportBuild, Done> REPORT =
      new Address<>("builds.report", ReportBuild.class, Done.class);

  /** Reads what a build has written; the orchestrator answers. */
  public static final Address<ReadBuildLog, LogPiece> READ_LOG =
      new Address<>("builds.readlog", ReadBuildLog.class, LogPiece.class);

  /** Asks whether images can be built; the orchestrator answers. */
  public static final Address<CheckBuild, BuildChecked> CHECK =
      new Address<>("builds.check", CheckBuild.class, BuildChecked.class);

  /** Replaces the name of an environment by the digest that it has; fails with Refused. */
  public static final Address<FreezeEnvironment, FrozenEnvironment> FREEZE =
      new Address<>("builds.freeze", FreezeEnvironment.class, FrozenEnvironment.class);

  /** Told when a build was started, is to be ended, or was deleted. */
  public static final Topic<Changed> CHANGED = new Topic<>("builds.changed", Changed.class);

  private Builds() {}

  public record Changed(String name) {}

  /**
   * A build with its last start.
   *
   * @param number how often it was started
   * @param canceling whether it is to be ended
   * @param reason a sentence; null when there is nothing to say
   * @param digest of the last image that was pushed; null before
   * @param bytes of that image as the registry keeps it; null when it is not known
   */
  public record ImageBuild(
      String name,
      ProjectName project,
      String owner,
      BuildSpec spec,
      int number,
      BuildStatus status,
      boolean canceling,
      @Nullable String reason,
      @Nullable String digest,
      @Nullable Long bytes,
      String startedBy,
      Instant createdAt,
      Instant queuedAt,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      long revision) {}

  /**
   * A request for builds.
   *
   * @param among the projects whose builds may be seen; null for all
   */
  public record ListBuilds(
      @Nullable List<ProjectName> among,
      @Nullable String owner,
      @Nullable String q,
      @Nullable BuildStatus status) {
    public ListBuilds {
      among = among == null ? null : List.copyOf(among);
    }
  }

  public record BuildList(List<ImageBuild> items) {
    public BuildList {
      items = List.copyOf(items);
    }
  }

  public record GetBuild(String name) {}

  /**
   * A request to freeze an environment.
   *
   * @param image {@code env:<name>}
   * @param pointer to it in the document, for findings
   */
  public record FreezeEnvironment(ProjectName project, String image, String pointer) {}

  /**
   * A frozen environment.
   *
   * @param image with its digest
   */
  public record FrozenEnvironment(String image) {}

  /**
   * A request to store a document.
   *
   * @param creates whether it must not be there yet, or must be
   * @param ifRevision the revision that is to be changed; null for any
   * @param dryRun whether it is only checked
   */
  public record PutBuild(
      Actor by,
      String name,
      ProjectName project,
      BuildSpec spec,
      boolean creates,
      @Nullable Long ifRevision,
      boolean dryRun) {}

  public record PutBuildDone(ImageBuild build, Outcome outcome) {}

  public record StartBuild(Actor by, String name) {}

  public record CancelBuild(Actor by, String name) {}

  public record DeleteBuild(Actor by, String name) {}

  public record AskUnfinished() {}

  /**
   * A change of a build that the orchestrator has seen.
   *
   * @param number the start that is meant
   */
  public record ReportBuild(
      String name,
      int number,
      BuildStatus status,
      @Nullable String reason,
      @Nullable String digest,
      @Nullable Long bytes) {}

  public record ReadBuildLog(
      String name, ProjectName project, int number, long offset, int limit) {}

  public record CheckBuild(ProjectName project, BuildSpec spec) {}

  /**
   * The findings of a check.
   *
   * @param missing sentences; empty when nothing is missing
   */
  public record BuildChecked(List<String> missing) {
    public BuildChecked {
      missing = List.copyOf(missing);
    }
  }
}
