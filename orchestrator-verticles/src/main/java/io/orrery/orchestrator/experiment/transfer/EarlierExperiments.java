package io.orrery.orchestrator.experiment.transfer;

import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Transfers.Sample;
import io.orrery.core.bus.contract.Transfers.Source;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.spec.TransferChoice;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes from earlier experiments what a new one shall learn from. Only finished experiments of the
 * same project count: users who create an experiment in a project may see those that are in it.
 */
public final class EarlierExperiments {
  private static final int MOST_SOURCES = 5;
  private static final int MOST_SAMPLES = 100;

  /** How many of the newest experiments of a project are looked at. */
  private static final int LOOKED_AT = 200;

  /** Of an experiment's history no more entries than that are read: two of each usual trial. */
  private static final int MOST_READ = 8_000;

  private static final int PAGE = 1_000;

  private final ExperimentTable experiments;
  private final TrialTable trials;
  private final Clock clock;

  public EarlierExperiments(ExperimentTable experiments, TrialTable trials, Clock clock) {
    this.experiments = experiments;
    this.trials = trials;
    this.clock = clock;
  }

  /**
   * The experiments that a new one learns from.
   *
   * @param project in which it is created
   * @return at most five; fails with Refused when one that is named is not there, or not over
   */
  public Future<List<ChosenSource>> choose(ExperimentSpec spec, ProjectName project) {
    return switch (TransferChoice.of(spec)) {
      case TransferChoice.Off() -> Future.succeededFuture(List.of());
      case TransferChoice.Auto() ->
          experiments
              .page(Experiments.ListAll.in(project, LOOKED_AT), clock.now())
              .map(page -> new Resemblance(spec.search().space()).best(page.items(), MOST_SOURCES));
      case TransferChoice.Named(List<TransferChoice.Wanted> wanted) ->
          named(wanted, spec.search().space(), project);
    };
  }

  private Future<List<ChosenSource>> named(
      List<TransferChoice.Wanted> wanted, SearchSpace space, ProjectName project) {
    if (wanted.size() > MOST_SOURCES) {
      return refused("/transfer", "may name at most " + MOST_SOURCES + " experiments");
    }
    List<ChosenSource> found = new ArrayList<>();
    Set<ExperimentId> known = new HashSet<>();
    return AsyncLoop.inTurn(
            wanted,
            one -> {
              String at = "/transfer/" + found.size();
              ExperimentId id = one.experiment();
              return experiments
                  .find(id)
                  .compose(record -> {
                    String wrong = wrong(id, record.orElse(null), project, !known.add(id));
                    return wrong == null
                        ? chosen(one, record.orElseThrow().view(clock.now()), space, at)
                        : refused(at, wrong);
                  })
                  .onSuccess(found::add);
            })
        .map(found);
  }

  private static Future<ChosenSource> chosen(
      TransferChoice.Wanted wanted, Experiment experiment, SearchSpace space, String at) {
    SearchSpace there = experiment.spec().search().space();
    Map<String, String> renamed = wanted.renamed();
    if (renamed == null) {
      return Future.succeededFuture(new ChosenSource(experiment, Renaming.possible(space, there)));
    }
    String wrong = Renaming.wrong(space, there, renamed);
    return wrong == null
        ? Future.succeededFuture(new ChosenSource(experiment, renamed))
        : refused(at + "/rename", wrong);
  }

  /** What an experiment of another project is called is told as little as whether it is there. */
  private static @Nullable String wrong(
      ExperimentId id, @Nullable ExperimentRecord record, ProjectName project, boolean again) {
    if (record == null || !record.ownership().project().equals(project)) {
      return "there is no experiment " + id + " in the project " + project;
    }
    if (!record.over()) {
      return "the experiment " + id + " is not over yet: name finished ones";
    }
    return again ? "the experiment " + id + " is named twice" : null;
  }

  private static <T> Future<T> refused(String at, String why) {
    return Future.failedFuture(new Problem.Refused(new Finding(at, why)).toException());
  }

  /** Reads what a new experiment is given of those that were chosen. */
  public Future<List<Source>> read(List<ChosenSource> chosen) {
    List<Source> sources = new ArrayList<>();
    return AsyncLoop.inTurn(
            chosen,
            one ->
                samples(one.experiment())
                    .onSuccess(samples -> sources.add(source(one, some(samples)))))
        .map(sources);
  }

  private static Source source(ChosenSource chosen, List<Sample> samples) {
    return new Source(
        chosen.experiment().id(),
        chosen.experiment().spec().description().name(),
        samples.stream()
            .map(sample ->
                new Sample(Renaming.applied(chosen.renamed(), sample.parameters()), sample.loss()))
            .toList(),
        chosen.renamed());
  }

  private Future<List<Sample>> samples(Experiment experiment) {
    List<Sample> samples = new ArrayList<>();
    Objectives objectives = experiment.spec().search().objectives();
    AtomicInteger read = new AtomicInteger();
    return AsyncLoop.iterate(
            0L,
            after ->
                trials
                    .history(new Trials.ReadHistory(experiment.id(), after, PAGE))
                    .map(page -> {
                      for (Trials.Entry entry : page.entries()) {
                        if (entry instanceof Trials.Settled end && counts(end.status())) {
                          samples.add(sample(end, objectives));
                        }
                      }
                      return page.entries().isEmpty()
                              || read.addAndGet(page.entries().size()) >= MOST_READ
                          ? Optional.empty()
                          : Optional.of(page.entries().getLast().ordinal());
                    }))
        .map(samples);
  }

  /** What a user ended says nothing of its parameters. */
  private static boolean counts(TrialStatus status) {
    return switch (status) {
      case SUCCEEDED, FAILED, EARLY_STOPPED -> true;
      default -> false;
    };
  }

  private static Sample sample(Trials.Settled end, Objectives objectives) {
    double value = objectives.measures(end.result()).getFirst();
    return new Sample(
        end.parameters(), Double.isFinite(value) ? objectives.direction().loss(value) : null);
  }

  /** The best half of as many as are taken, and an even part of the others, in their order. */
  static List<Sample> some(List<Sample> all) {
    if (all.size() <= MOST_SAMPLES) {
      return all;
    }
    List<Integer> byLoss =
        IntStream.range(0, all.size())
            .boxed()
            .sorted(Comparator.comparingDouble(index -> loss(all.get(index))))
            .toList();
    int best = MOST_SAMPLES / 2;
    int others = all.size() - best;
    List<Integer> chosen = new ArrayList<>(byLoss.subList(0, best));
    for (int i = 0; i < best; i++) {
      chosen.add(byLoss.get(best + (int) ((long) i * others / best)));
    }
    return chosen.stream().sorted().map(all::get).toList();
  }

  private static double loss(Sample sample) {
    Double loss = sample.loss();
    return loss == null ? Double.POSITIVE_INFINITY : loss;
  }
}
