package io.orrery.studio.build;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Builds.PutBuild;
import io.orrery.core.bus.contract.Builds.PutBuildDone;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.environment.EnvironmentChoices;
import io.orrery.studio.environment.EnvironmentDigests;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers questions about builds of images. */
public final class BuildHandler {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "builds",
          BuildHandler.class,
          List.of("0001-builds.sql", "0002-environment-choices.sql", "0003-pushed-images.sql"));
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Bus bus;
  private final Store store;
  private final AuditedChanges changes;
  private final BuildTable table;
  private final EnvironmentChoices choices;
  private final LastImages images;

  public BuildHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
    this.table = new BuildTable(store);
    this.choices = new EnvironmentChoices(store);
    this.images = new LastImages(store);
  }

  /** Brings the table of builds up to date. */
  public static Future<Void> migrate(Store store) {
    return MIGRATIONS.apply(store);
  }

  /** The statements that forget what belongs to a project that is deleted. */
  public static List<Statement> forget(ProjectName project) {
    return List.of(
        Statement.of("delete from builds where project = ?", project.value()),
        Statement.of("delete from environment_choices where project = ?", project.value()),
        PushedImageTable.drop(project));
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Builds.LIST, this::list),
            bus.serve(Builds.GET, asked -> get(asked.name())),
            bus.serve(Builds.PUT, this::put),
            bus.serve(Builds.START, asked -> start(asked.by(), asked.name())),
            bus.serve(Builds.CANCEL, asked -> cancel(asked.by(), asked.name())),
            bus.serve(Builds.DELETE, this::delete),
            bus.serve(Builds.FREEZE, this::freeze),
            bus.serve(Builds.UNFINISHED, asked -> table.unfinished().map(Builds.BuildList::new)),
            bus.serve(Builds.REPORT, this::report)));
  }

  /** The digests of the uploads that documents name. */
  public Future<Set<String>> usedCode() {
    return table
        .among(null)
        .map(all ->
            all.stream()
                .map(build -> build.spec().upload())
                .flatMap(Stream::ofNullable)
                .collect(Collectors.toSet()));
  }

  /** The choice is noted before anything can name the digest, so that it is not removed. */
  private Future<Builds.FrozenEnvironment> freeze(Builds.FreezeEnvironment asked) {
    return new EnvironmentDigests(this::get)
        .find(asked.project(), asked.image(), asked.pointer())
        .compose(name ->
            choices
                .note(
                    asked.project(),
                    EnvironmentName.DIGEST + Objects.requireNonNull(name.digest()),
                    now())
                .map(new Builds.FrozenEnvironment(name.toString())));
  }

  private Future<Builds.BuildList> list(Builds.ListBuilds asked) {
    return table
        .among(asked.among())
        .map(all ->
            new Builds.BuildList(
                all.stream()
                    .filter(build -> asked.owner() == null || asked.owner().equals(build.owner()))
                    .filter(build -> asked.status() == null || asked.status() == build.status())
                    .filter(build ->
                        asked.q() == null
                            || build.name().contains(asked.q())
                            || build.spec().target().contains(asked.q()))
                    .toList()));
  }

  private Future<ImageBuild> get(String name) {
    return table
        .find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no build '" + name + "'.").toException()));
  }

  private Future<PutBuildDone> put(PutBuild wanted) {
    if (!NAME.matcher(wanted.name()).matches()) {
      throw new Problem.Refused(
              new Finding(
                  "/name", "a build is named with 1 to 63 lower-case letters, digits and '-'"))
          .toException();
    }
    return table
        .find(wanted.name())
        .compose(found -> {
          ImageBuild before = found.orElse(null);
          refuse(wanted, before);
          if (before != null && before.spec().equals(wanted.spec())) {
            return Future.succeededFuture(new PutBuildDone(before, Outcome.UNCHANGED));
          }
          return bus.request(Builds.CHECK, new Builds.CheckBuild(wanted.project(), wanted.spec()))
              .compose(checked -> {
                if (!checked.missing().isEmpty()) {
                  throw Problem.Refused.of(
                          checked.missing().stream()
                              .map(sentence -> new Finding("", sentence))
                              .toList())
                      .toException();
                }
                return before == null ? create(wanted) : change(wanted, before);
              });
        });
  }

  private static void refuse(PutBuild wanted, @Nullable ImageBuild before) {
    if ((before == null) != wanted.creates()) {
      throw new Problem.Conflict(
              before == null
                  ? "Build %s has been deleted meanwhile.".formatted(wanted.name())
                  : "The name %s is taken: choose another.".formatted(wanted.name()))
          .toException();
    }
    if (before != null) {
      RevisionCheck.require("Build " + before.name(), wanted.ifRevision(), before.revision());
    }
  }

  private Future<PutBuildDone> create(PutBuild wanted) {
    Instant now = now();
    ImageBuild build =
        new ImageBuild(
            wanted.name(),
            wanted.project(),
            wanted.by().name(),
            wanted.spec(),
            1,
            BuildStatus.QUEUED,
            false,
            null,
            null,
            null,
            wanted.by().name(),
            now,
            now,
            null,
            null,
            1);
    return table
        .among(List.of(wanted.project()))
        .compose(all -> {
          if (all.size() >= Builds.MOST) {
            throw new Problem.Conflict(
                    "Project %s has %d builds: delete one first."
                        .formatted(wanted.project(), Builds.MOST))
                .toException();
          }
          return room();
        })
        .compose(room -> commit(wanted, build, "create", Outcome.CREATED, Stream.empty()));
  }

  private Future<PutBuildDone> change(PutBuild wanted, ImageBuild before) {
    refuseUnfinished(before);
    return room()
        .compose(room ->
            commit(
                wanted,
                BuildChange.started(before, wanted.spec(), wanted.by().name(), now()),
                "change",
                Outcome.CHANGED,
                pushed(before)));
  }

  private Future<PutBuildDone> commit(
      PutBuild wanted, ImageBuild build, String action, Outcome outcome, Stream<Statement> before) {
    PutBuildDone done = new PutBuildDone(build, outcome);
    return wanted.dryRun()
        ? Future.succeededFuture(done)
        : commit(wanted.by(), action, build, before).map(done);
  }

  private Future<ImageBuild> commit(
      Actor by, String action, ImageBuild build, Stream<Statement> before) {
    return changes
        .commitObject(
            by,
            new What(action, "build", build.name(), build.project(), build.spec().target()),
            Stream.concat(before, Stream.of(BuildTable.put(build))).toList())
        .onSuccess(stored -> bus.publish(Builds.CHANGED, new Builds.Changed(build.name())))
        .map(build);
  }

  /** The statements that store a build, with the image that it has pushed by then. */
  private static List<Statement> stored(ImageBuild build) {
    return Stream.concat(Stream.of(BuildTable.put(build)), pushed(build)).toList();
  }

  /** The statement that notes what a build has pushed, which versions before this did not note. */
  private static Stream<Statement> pushed(ImageBuild build) {
    return PushedImageTable.of(build).map(PushedImageTable::put).stream();
  }

  private static void refuseUnfinished(ImageBuild build) {
    if (!build.status().isOver()) {
      throw new Problem.Conflict(
              "Build %s is %s: cancel it first, or wait for its end."
                  .formatted(build.name(), build.status()))
          .toException();
    }
  }

  /** Fails when too many builds wait. */
  private Future<Void> room() {
    return table
        .unfinished()
        .map(all -> {
          if (all.size() >= Builds.MOST_UNFINISHED) {
            throw new Problem.Busy(
                    "%d builds wait or run already".formatted(Builds.MOST_UNFINISHED), SOON)
                .toException();
          }
          return null;
        });
  }

  private Future<ImageBuild> start(Actor by, String name) {
    return get(name)
        .compose(before -> {
          refuseUnfinished(before);
          return room()
              .compose(room ->
                  commit(
                      by,
                      "start",
                      BuildChange.started(before, before.spec(), by.name(), now()),
                      pushed(before)));
        });
  }

  private Future<ImageBuild> cancel(Actor by, String name) {
    return get(name)
        .compose(before ->
            before.status().isOver() || before.canceling()
                ? Future.succeededFuture(before)
                : commit(by, "cancel", BuildChange.canceled(before, now()), Stream.empty()));
  }

  private Future<Done> delete(Builds.DeleteBuild wanted) {
    return get(wanted.name())
        .compose(build -> {
          refuseUnfinished(build);
          return images.requireNone(build).map(build);
        })
        .compose(build ->
            changes.commitObject(
                wanted.by(),
                new What("delete", "build", build.name(), build.project(), ""),
                Stream.concat(pushed(build), Stream.of(BuildTable.drop(build))).toList()))
        .onSuccess(gone -> bus.publish(Builds.CHANGED, new Builds.Changed(wanted.name())))
        .map(new Done());
  }

  private Future<Done> report(Builds.ReportBuild report) {
    return table
        .find(report.name())
        .compose(found ->
            found
                .filter(build -> BuildChange.isNews(build, report))
                .map(build -> store.write(stored(BuildChange.reported(build, report, now()))))
                .orElse(Future.succeededFuture()))
        .map(new Done());
  }

  /** As it is stored. */
  private Instant now() {
    return changes.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
