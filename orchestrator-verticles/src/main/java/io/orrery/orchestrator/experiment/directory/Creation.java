package io.orrery.orchestrator.experiment.directory;

import io.orrery.compute.catalog.Platforms;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.project.EnvironmentFreezer;
import io.orrery.orchestrator.project.ProjectDefaults;
import io.orrery.orchestrator.spec.Conversion;
import io.orrery.orchestrator.spec.SpecReader;
import io.orrery.orchestrator.spec.SpecReading;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The validation of a configuration, for every entry. It reports the findings of schema, platform
 * and tuner together.
 */
public final class Creation {
  /** The timeout for the notices of a platform while an experiment is created. */
  private static final long NOTICES_MILLIS = 800;

  private final Bus bus;
  private final Platforms platforms;
  private final SpecReader reader;
  private final RandomGenerator random;
  private final @Nullable Predicate<Path> shown;
  private final CodeFromGit repositories;
  private final ProjectDefaults defaults;
  private final EnvironmentFreezer environments;

  /** Reading looks at directories and files, so it has threads of its own. */
  private final WorkerExecutor threads;

  /**
   * @param shown whether a path of the server may be named by users who may not name all; null
   *     where people have no accounts, and all may
   */
  public Creation(
      Vertx vertx,
      Bus bus,
      Platforms platforms,
      SpecReader reader,
      @Nullable Predicate<Path> shown,
      CodeFromGit repositories,
      ProjectDefaults defaults,
      RandomGenerator random) {
    this.defaults = defaults;
    this.environments = new EnvironmentFreezer(vertx, bus, platforms);
    this.repositories = repositories;
    this.shown = shown;
    this.bus = bus;
    this.platforms = platforms;
    this.reader = reader;
    this.random = random;
    this.threads = vertx.createSharedWorkerExecutor("orrery-spec", 2);
  }

  /** A valid experiment that can be started. */
  public record Read(ExperimentId id, ExperimentSpec spec, List<String> notices) {}

  /** Fails with Refused and every finding. */
  public Future<Read> read(Experiments.Create wanted) {
    return threads
        .executeBlocking(() -> CodeFromGit.find(wanted.text()), false)
        .compose(found -> found.isEmpty() ? read(wanted, null) : fromGit(wanted, found.get()));
  }

  /** All but the code is checked first: nothing is fetched for what is refused. */
  private Future<Read> fromGit(Experiments.Create wanted, CodeFromGit.Wanted code) {
    Experiments.Create check = wanted.asCheck();
    Future<Read> checked = repositories.given(code, check).compose(given -> read(check, given));
    return wanted.dryRun()
        ? checked
        : checked.compose(
            right -> repositories.given(code, wanted).compose(given -> read(wanted, given)));
  }

  private Future<Read> read(Experiments.Create wanted, CodeFromGit.@Nullable Given code) {
    return threads
        .executeBlocking(
            () -> {
              SpecReading reading =
                  reader.read(
                      wanted.text(),
                      wanted.base(),
                      wanted.ownership().owner(),
                      wanted.serverFiles() ? null : shown(code),
                      code == null ? null : code.named());
              ExperimentSpec spec = reading.spec();
              if (spec == null) {
                return reading;
              }
              SpecReading checked =
                  reading
                      .with(platforms.check(spec.job(), spec.search()))
                      .with(EnvironmentFreezer.misplaced(spec.job()));
              return checked.findings().isEmpty()
                  ? checked.noting(platforms.codeNotices(spec.job()))
                  : checked;
            },
            false)
        .compose(this::checkAlgorithms)
        .compose(reading -> {
          ExperimentSpec spec = reading.spec();
          if (spec == null || !reading.findings().isEmpty()) {
            return Future.failedFuture(Problem.Refused.of(reading.findings()).toException());
          }
          ExperimentId id = wanted.id() == null ? ExperimentId.random(random) : wanted.id();
          if (id.isOfRun()) {
            throw new Problem.Refused(
                    new Finding(
                        "",
                        "ids that begin with "
                            + ExperimentId.OF_RUNS
                            + " are for steps of pipelines: choose another id"))
                .toException();
          }
          List<String> before = new ArrayList<>(reading.notices());
          if (code != null && !code.notice().isEmpty()) {
            before.add(code.notice());
          }
          return environments
              .freeze(spec.job(), wanted.ownership().project())
              .recover(failure -> placed(reading, failure))
              .compose(frozen -> defaults.give(frozen, wanted.ownership()))
              .compose(given -> {
                before.addAll(given.notices());
                return noticed(new Read(id, spec.withJob(given.job()), before), wanted.dryRun());
              });
        });
  }

  /** The same failure, with its findings where the author has written what they are about. */
  private static <T> Future<T> placed(SpecReading reading, Throwable failure) {
    return Problem.of(failure) instanceof Problem.Refused refused && !refused.findings().isEmpty()
        ? Future.failedFuture(
            Problem.Refused.of(reading.with(refused.findings()).findings()).toException())
        : Future.failedFuture(failure);
  }

  /** The same with the notices of the platform. */
  private Future<Read> noticed(Read read, boolean dryRun) {
    Future<List<String>> said = platforms.notices(read.spec().job());
    Future<List<String>> inTime =
        dryRun ? said : said.timeout(NOTICES_MILLIS, TimeUnit.MILLISECONDS).otherwise(List.of());
    return inTime.map(notices -> {
      List<String> all = new ArrayList<>(read.notices());
      all.addAll(notices);
      return new Read(read.id(), read.spec(), all);
    });
  }

  /** Whether a path may be named: what was fetched for the author may. */
  private @Nullable Predicate<Path> shown(CodeFromGit.@Nullable Given code) {
    Predicate<Path> usual = shown;
    return usual == null || code == null
        ? usual
        : path -> path.startsWith(code.real()) || usual.test(path);
  }

  /** A configuration in v3 form. */
  Future<Experiments.Converted> convert(Experiments.Convert wanted) {
    return threads.executeBlocking(
        () -> {
          Conversion conversion = Conversion.of(wanted.text());
          return new Experiments.Converted(Json.write(conversion.config()), conversion.changes());
        },
        false);
  }

  private Future<SpecReading> checkAlgorithms(SpecReading reading) {
    SpecReading.Search search = reading.search();
    if (search == null) {
      return Future.succeededFuture(reading);
    }
    return Future.all(
            check("tuner", search.tuner(), search), check("assessor", search.assessor(), search))
        .map(both -> {
          List<Finding> findings = new ArrayList<>(both.<List<Finding>>resultAt(0));
          findings.addAll(both.<List<Finding>>resultAt(1));
          return reading.with(findings);
        });
  }

  private Future<List<Finding>> check(
      String kind, @Nullable AlgorithmSpec algorithm, SpecReading.Search search) {
    if (algorithm == null) {
      return Future.succeededFuture(List.of());
    }
    return bus.request(
            Tuners.CHECK, new Tuners.Check(kind, algorithm, search.space(), search.objectives()))
        .map(Tuners.Checked::findings);
  }
}
