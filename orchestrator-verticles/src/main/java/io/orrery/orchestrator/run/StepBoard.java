package io.orrery.orchestrator.run;

import io.orrery.core.run.RunId;
import io.orrery.core.run.StepStatus;
import io.orrery.orchestrator.run.StepState.EarlyEnd;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The states of the steps of a run, with indexes of those that matter next, so that an event costs
 * the same however many steps there are.
 */
final class StepBoard {
  private final RunId run;
  private final RunGraph graph;
  private final List<StepState> steps;
  private final Map<String, Integer> open = new HashMap<>();
  private final TreeSet<Integer> looks = new TreeSet<>();
  private final TreeSet<Integer> ready = new TreeSet<>();
  private final TreeSet<Integer> questions = new TreeSet<>();
  private final TreeSet<Integer> inFlight = new TreeSet<>();
  private final Set<Integer> collecting = new LinkedHashSet<>();
  private int asking;
  private final TreeSet<Integer> changed = new TreeSet<>();

  /**
   * The steps that may start.
   *
   * @param next when the first pause before a retry is over; null when none waits for that
   */
  record Startable(List<Integer> steps, @Nullable Instant next) {
    Startable {
      steps = List.copyOf(steps);
    }
  }

  StepBoard(RunId run, RunGraph graph, List<StepState> steps) {
    if (steps.size() != graph.steps().size()) {
      throw new IllegalArgumentException(
          "%d states of %d steps".formatted(steps.size(), graph.steps().size()));
    }
    this.run = run;
    this.graph = graph;
    this.steps = new ArrayList<>(steps);
    for (int i = 0; i < steps.size(); i++) {
      count(i, null, steps.get(i).status());
    }
  }

  StepState step(int number) {
    return steps.get(number);
  }

  int size() {
    return steps.size();
  }

  /** Whether steps of a task are not over. */
  boolean isOpen(String task) {
    return open.containsKey(task);
  }

  /** Whether all steps besides the exit step are over. */
  boolean isOver() {
    return open.isEmpty();
  }

  /**
   * The steps that may start, those with a program first, each kind in its order. Only as many are
   * looked at as there is room for, and those that pause before a retry.
   *
   * @param room for steps with a program; all questions to people may be asked
   */
  Startable startable(int room, Instant now) {
    List<Integer> chosen = new ArrayList<>();
    Instant next = choose(ready, room, now, chosen);
    return new Startable(chosen, earliest(next, choose(questions, size(), now, chosen)));
  }

  private @Nullable Instant choose(
      Iterable<Integer> from, int room, Instant now, List<Integer> chosen) {
    int left = room;
    Instant next = null;
    for (Integer number : from) {
      if (left <= 0) {
        break;
      }
      Instant notBefore = step(number).notBefore();
      if (notBefore != null && notBefore.isAfter(now)) {
        next = earliest(next, notBefore);
      } else {
        chosen.add(number);
        left--;
      }
    }
    return next;
  }

  static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  List<Integer> inFlight() {
    return List.copyOf(inFlight);
  }

  /** The number of attempts that count against the parallelism: people may take their time. */
  int running() {
    return inFlight.size() - asking;
  }

  /** The next step to be looked at: new, or with a task before it that is over now. */
  @Nullable Integer pollLook() {
    return looks.pollFirst();
  }

  /** Notes that the program of a step has ended well and its outputs are being kept. */
  void collect(int number) {
    collecting.add(number);
  }

  boolean isCollecting(int number) {
    return collecting.contains(number);
  }

  /** The steps that have changed since the last call. */
  Set<Integer> takeChanges() {
    Set<Integer> taken = Set.copyOf(changed);
    changed.clear();
    return taken;
  }

  /**
   * Asks for the end of an attempt.
   *
   * @return null when that was asked for already
   */
  RunDecision.@Nullable Cancel end(int number, EarlyEnd why, String words) {
    StepState step = steps.get(number);
    if (step.ending() != null && why != EarlyEnd.STOP) {
      return null;
    }
    put(number, step.ending(why, words));
    return new RunDecision.Cancel(number, step.attempt());
  }

  void move(int number, StepState next) {
    StepStatus from = steps.get(number).status();
    if (!StepLife.allows(from, next.status())) {
      throw new IllegalStateException(
          "step %s of run %s: %s cannot become %s"
              .formatted(graph.step(number).name(), run, from, next.status()));
    }
    put(number, next);
    count(number, from, next.status());
  }

  /** Changes a step without a change of its status. */
  void put(int number, StepState next) {
    if (!steps.get(number).equals(next)) {
      steps.set(number, next);
      changed.add(number);
    }
  }

  private void count(int number, @Nullable StepStatus from, StepStatus to) {
    TreeSet<Integer> starting = graph.asksPeople(number) ? questions : ready;
    if (to == StepStatus.READY) {
      starting.add(number);
    } else {
      starting.remove(number);
    }
    if (to.isInFlight()) {
      if (inFlight.add(number) && graph.asksPeople(number)) {
        asking++;
      }
    } else {
      if (inFlight.remove(number) && graph.asksPeople(number)) {
        asking--;
      }
      collecting.remove(number);
    }
    if (number >= graph.ordinary()) {
      return;
    }
    if (to == StepStatus.BLOCKED) {
      looks.add(number);
    }
    String task = graph.step(number).task();
    boolean wasOpen = from != null && !from.isOver();
    if (!wasOpen && !to.isOver()) {
      open.merge(task, 1, Integer::sum);
    } else if (wasOpen && to.isOver()) {
      open.computeIfPresent(task, (name, left) -> left == 1 ? null : left - 1);
      if (!open.containsKey(task)) {
        looks.addAll(graph.dependents(task));
      }
    }
  }
}
