package io.orrery.orchestrator.build;

import io.orrery.compute.process.ProcessTable;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.Spawn;
import io.orrery.compute.process.Wrapper;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.compute.service.ImageLogins;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.Bus.Subscription;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.OldImages;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.code.GitFetch;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.Sandbox;
import io.orrery.core.process.SearchPath;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.Workspaces;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.retention.LeftFiles;
import io.orrery.orchestrator.retention.NamedImages;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that runs builds of images on this machine and in pods, a few at once, in the order
 * in which they were started. One server at a time runs it.
 */
public final class BuildVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(BuildVerticle.class);

  /** The pause between two looks for builds that no event has told of. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** The limits of a context that is fetched, besides those of every context. */
  private static final int MOST_FILES = 100_000;

  /** The pause after a build is over. */
  private static final Duration SOON = Duration.ofMillis(200);

  private final Bus bus;
  private final Clock clock;
  private final BuildSettings settings;
  private final ImageLogins logins;
  private final ProjectSecrets secrets;
  private final BundleFolder uploads;
  private final Workspaces workspaces;
  private final Sandbox sandbox;
  private final SearchPath programs;
  private final GitFetch repositories;
  private final String prefix;
  private final Map<Kind, LeftFiles> left = new EnumMap<>(Kind.class);
  private final NamedImages named;
  private final Map<String, RunningBuild> keepers = new HashMap<>();

  private record RunningBuild(ProjectName project, BuildAttendance keeper) {}

  /** The projects whose layers are being removed: no build of them begins. */
  private final Set<ProjectName> paused = new HashSet<>();

  private @Nullable BuildPreparation preparation;
  private BuildProgram.@Nullable Machine machine;
  private Clock.@Nullable Timer timer;
  private @Nullable Subscription listening;
  private boolean tidy;
  private boolean swept;
  private boolean looking;
  private boolean again;
  private boolean closed;

  /**
   * @param logins with which images are pulled and pushed
   * @param secrets of projects
   * @param uploads the code that is a context
   * @param workspaces the directories of users
   * @param sandbox in which environments are built
   * @param addresses at which repositories are fetched
   * @param left the files besides layers that builds and code leave behind; they are closed with it
   * @param named the images that must not be removed from their registries
   */
  public BuildVerticle(
      Bus bus,
      Clock clock,
      BuildSettings settings,
      ImageLogins logins,
      ProjectSecrets secrets,
      BundleFolder uploads,
      Workspaces workspaces,
      Sandbox sandbox,
      Predicate<InetAddress> addresses,
      Map<Kind, LeftFiles> left,
      NamedImages named) {
    this.bus = bus;
    this.clock = clock;
    this.settings = settings;
    this.logins = logins;
    this.secrets = secrets;
    this.uploads = uploads;
    this.workspaces = workspaces;
    this.sandbox = sandbox;
    this.programs = SearchPath.of(System.getenv());
    this.repositories =
        new GitFetch(new CodeLimits(MOST_FILES, settings.contextBytes()), addresses, programs);
    this.left.putAll(left);
    this.named = named;
    this.prefix = Sha256.hex(settings.root().toString(), 8) + "/";
  }

  @Override
  public Future<?> start() {
    preparation =
        new BuildPreparation(
            context,
            settings,
            logins,
            secrets,
            uploads,
            workspaces,
            repositories,
            programs,
            new BuildPacks(bus));
    machine =
        new BuildProgram.Machine(
            clock,
            new ProcessTable(() -> Processes.all(BuildProgram.MARK)),
            new Wrapper(settings.root().resolve("wrapper.sh"), List.of("/bin/sh")),
            Spawn.best());
    left.put(Kind.LAYERS, new LeftLayers(vertx, bus, settings, programs, new Pause()));
    return Future.all(
            bus.serve(Builds.CHECK, this::check),
            bus.serve(Builds.READ_LOG, this::log),
            bus.serve(OldFiles.FIND, asked -> left(asked.kind()).find(asked.before())),
            bus.serve(OldFiles.REMOVE, this::remove),
            bus.serve(OldImages.NAMED, named::of))
        .onSuccess(served -> {
          listening =
              bus.listen(Builds.CHANGED, changed -> context.runOnContext(turn -> changed()));
          look();
        });
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (listening != null) {
      listening.cancel();
    }
    if (timer != null) {
      timer.cancel();
    }
    keepers.values().forEach(kept -> kept.keeper().leave());
    return Future.join(left.values().stream().map(LeftFiles::close).toList());
  }

  private Future<Builds.BuildChecked> check(Builds.CheckBuild asked) {
    String cluster = asked.spec().cluster();
    if (asked.spec().snapshotOf() != null) {
      // The engine of the container does it.
      return Future.succeededFuture(new Builds.BuildChecked(List.of()));
    }
    return cluster == null
        ? checkMachine(asked)
        : bus.request(PipelineRuns.PLATFORMS, new PipelineRuns.AskPlatforms())
            .map(known ->
                new Builds.BuildChecked(
                    BuildTools.missing(cluster, known.clusters(), settings.image())));
  }

  private Future<Builds.BuildChecked> checkMachine(Builds.CheckBuild asked) {
    return vertx.executeBlocking(
        () ->
            new Builds.BuildChecked(
                BuildTools.missing(
                    asked.spec(),
                    System.getenv(),
                    System.getProperty("user.name", ""),
                    settings.user())),
        false);
  }

  private Future<Done> remove(OldFiles.Remove asked) {
    return left(asked.object().kind()).remove(asked.object(), asked.before()).map(new Done());
  }

  private LeftFiles left(Kind kind) {
    LeftFiles files = left.get(kind);
    if (files == null) {
      throw new Problem.Refused(new Finding("/kind", kind.word() + " are no files")).toException();
    }
    return files;
  }

  /** The pauses of projects, on the thread of this verticle. */
  private final class Pause implements BuildPause {
    @Override
    public Future<Void> begin(ProjectName project) {
      Promise<Void> begun = Promise.promise();
      context.runOnContext(turn -> {
        if (runs(project) || !paused.add(project)) {
          begun.fail(
              new Problem.Conflict("A build of project %s runs.".formatted(project)).toException());
        } else {
          begun.complete();
        }
      });
      return begun.future();
    }

    @Override
    public void end(ProjectName project) {
      context.runOnContext(turn -> {
        paused.remove(project);
        lookIn(SOON);
      });
    }
  }

  private boolean runs(ProjectName project) {
    return keepers.values().stream().anyMatch(kept -> kept.project().equals(project));
  }

  private static String key(String name, int number) {
    return name + "/" + number;
  }

  /** A build was started, is to be ended, or was deleted. */
  private void changed() {
    swept = false;
    look();
  }

  private void look() {
    if (closed || looking) {
      again = looking;
      return;
    }
    looking = true;
    again = false;
    Future<Boolean> left =
        tidy ? Future.succeededFuture(true) : new LeftBuildRuns(bus).delete().otherwise(false);
    left.onSuccess(none -> tidy = none);
    sweep()
        .compose(clean -> bus.request(Builds.UNFINISHED, new Builds.AskUnfinished()))
        .onSuccess(all -> all.items().forEach(this::keep))
        .onFailure(failure -> LOG.warn("could not look for builds: {}", failure.getMessage()))
        .onComplete(done -> {
          looking = false;
          if (again) {
            look();
          } else {
            lookIn(LOOK);
          }
        });
  }

  /** Removes the files of deleted builds, while no build begins. */
  private Future<?> sweep() {
    if (swept) {
      return Future.succeededFuture();
    }
    swept = true;
    LeftBuildFiles files = new LeftBuildFiles(settings.root());
    Set<String> kept = Set.copyOf(keepers.keySet());
    return vertx
        .executeBlocking(files::starts, false)
        .compose(starts ->
            bus.request(Builds.LIST, new Builds.ListBuilds(null, null, null, null))
                .compose(builds ->
                    vertx.executeBlocking(
                        () -> {
                          LeftBuildFiles.remove(
                              starts,
                              builds.items(),
                              start -> kept.contains(key(start.name(), start.number())));
                          return true;
                        },
                        false)))
        .recover(failure -> {
          swept = false;
          LOG.warn("could not look for files of deleted builds: {}", failure.getMessage());
          return Future.succeededFuture(false);
        });
  }

  private void lookIn(Duration pause) {
    if (timer != null) {
      timer.cancel();
    }
    if (!closed) {
      timer = clock.after(pause, () -> context.runOnContext(turn -> look()));
    }
  }

  /** Forgets a build that is over, and begins one that waits. */
  private void over(String key) {
    keepers.remove(key);
    // It may have been deleted while its end was being written.
    swept = false;
    lookIn(SOON);
  }

  private void keep(ImageBuild build) {
    if (closed) {
      return;
    }
    String key = key(build.name(), build.number());
    RunningBuild known = keepers.get(key);
    if (known != null) {
      if (build.canceling()) {
        known.keeper().cancel();
      }
    } else if (keepers.size() < settings.concurrent() && !paused.contains(build.project())) {
      BuildAttendance keeper = keeper(build, key);
      keepers.put(key, new RunningBuild(build.project(), keeper));
      keeper.begin();
    }
  }

  private BuildAttendance keeper(ImageBuild build, String key) {
    BuildPreparation prepares = Objects.requireNonNull(preparation);
    Runnable over = () -> context.runOnContext(turn -> over(key));
    if (build.spec().snapshotOf() != null) {
      return new SnapshotKeeper(bus, settings, build, over);
    }
    return build.spec().cluster() == null
        ? new BuildKeeper(
            bus, prepares, Objects.requireNonNull(machine), build, prefix + key, sandbox, over)
        : new PodBuildKeeper(bus, prepares, build, over);
  }

  private Future<LogPiece> log(Builds.ReadBuildLog asked) {
    boolean kept = keepers.containsKey(key(asked.name(), asked.number()));
    BuildFiles files =
        BuildFiles.of(settings.root(), asked.project().value(), asked.name(), asked.number());
    return bus.request(Builds.GET, new Builds.GetBuild(asked.name()))
        .compose(build ->
            vertx.executeBlocking(
                () -> {
                  boolean last = build.number() == asked.number();
                  boolean over = !kept && (!last || build.status().isOver());
                  int run = last && !files.isOf(build) ? 0 : files.lastRun();
                  return run == 0
                      ? new LogPiece(new byte[0], Math.max(0, asked.offset()), over)
                      : new ReplicaLog(files.run(run)).read(asked.offset(), asked.limit(), over);
                },
                false));
  }
}
