package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.assess.Assessor.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dispatcher that came by itself, and that cannot be started again from here. So it is not thrown
 * away when its experiment's tuner is opened anew: it is told what is new, and what it knows
 * already is kept from it. One that fails is told to go, and the experiment's own tuner goes on.
 */
final class GuestTuner implements HostedTuner {
  private final DispatchedAlgorithm algorithm;
  private final CustomTuner tuner;

  /** Suggested, and not settled. */
  private final Map<String, Suggestion> running = new LinkedHashMap<>();

  /** Of these, what no trial was made of: to be suggested once more. */
  private final Map<String, Suggestion> unclaimed = new LinkedHashMap<>();

  private long learnt;
  private boolean again;

  GuestTuner(DispatchedAlgorithm algorithm, SearchSpace space) {
    this.algorithm = algorithm;
    this.tuner = new CustomTuner(algorithm, space);
  }

  /** The tuner is opened anew: the past will be told once more. */
  void open(SearchSpace space) {
    algorithm.changeSpace(space);
    tuner.searchIn(space);
    again = true;
    unclaimed.clear();
    unclaimed.putAll(running);
  }

  @Override
  public void remember(Suggestion suggestion) {
    unclaimed.remove(suggestion.parameterId());
    if (!again) {
      tuner.remember(suggestion);
    }
  }

  @Override
  public void learn(Settled settled) throws InterruptedException {
    String id = settled.parameterId();
    if (id != null) {
      running.remove(id);
      unclaimed.remove(id);
    }
    if (settled.ordinal() > learnt) {
      learnt = settled.ordinal();
      orGo(() -> {
        tuner.learn(settled);
        return settled;
      });
    }
  }

  @Override
  public Suggestions suggest(int count, long firstNumber) throws InterruptedException {
    Deque<Suggestion> left = new ArrayDeque<>(unclaimed.values());
    List<Suggestion> items = new ArrayList<>();
    while (items.size() < count && !left.isEmpty()) {
      Suggestion suggestion = left.remove();
      unclaimed.remove(suggestion.parameterId());
      items.add(suggestion);
    }
    boolean exhausted = false;
    if (items.size() < count) {
      int missing = count - items.size();
      Suggestions fresh = orGo(() -> tuner.suggest(missing, firstNumber + items.size()));
      items.addAll(fresh.items());
      exhausted = fresh.exhausted();
    }
    items.forEach(suggestion -> running.put(suggestion.parameterId(), suggestion));
    return new Suggestions(items, exhausted);
  }

  @Override
  public Verdict assess(String trial, @Nullable String parameterId, List<MetricPoint> points)
      throws InterruptedException {
    return orGo(() -> tuner.assess(trial, parameterId, points));
  }

  private interface Question<A> {
    A ask() throws InterruptedException;
  }

  private <A> A orGo(Question<A> question) throws InterruptedException {
    try {
      return question.ask();
    } catch (RuntimeException | InterruptedException e) {
      algorithm.close();
      throw e;
    }
  }
}
