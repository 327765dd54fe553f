package io.orrery.orchestrator.run;

import io.orrery.core.run.OutputRef;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepSpec;
import io.orrery.core.run.StepWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps of a run by number, and the edges between tasks. The exit step, when there is one, has
 * the last number and no edges.
 */
final class RunGraph {
  private final List<StepSpec> steps;
  private final int ordinary;
  private final Map<String, List<Integer>> byTask = new HashMap<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private final List<Set<String>> needs = new ArrayList<>();
  private final List<Set<String>> uses = new ArrayList<>();
  private final Map<String, List<Integer>> dependents = new HashMap<>();

  RunGraph(RunSpec spec) {
    List<StepSpec> all = new ArrayList<>(spec.steps());
    StepSpec exit = spec.onExit();
    ordinary = all.size();
    if (exit != null) {
      all.add(exit);
    }
    steps = List.copyOf(all);
    for (int i = 0; i < steps.size(); i++) {
      StepSpec step = steps.get(i);
      byName.put(step.name(), i);
      byTask.computeIfAbsent(step.task(), added -> new ArrayList<>()).add(i);
    }
    for (int i = 0; i < steps.size(); i++) {
      addEdges(i);
    }
  }

  private void addEdges(int number) {
    StepSpec step = steps.get(number);
    Set<String> used = new LinkedHashSet<>();
    for (OutputRef ref : step.uses()) {
      used.add(ref.task());
    }
    Set<String> needed = new LinkedHashSet<>(step.after());
    needed.addAll(used);
    if (number == ordinary) {
      needed.clear();
    }
    uses.add(used);
    needs.add(needed);
    needed.forEach(
        task -> dependents.computeIfAbsent(task, added -> new ArrayList<>()).add(number));
  }

  List<StepSpec> steps() {
    return steps;
  }

  StepSpec step(int number) {
    return steps.get(number);
  }

  /** The number of steps without the exit step. */
  int ordinary() {
    return ordinary;
  }

  boolean hasExit() {
    return steps.size() > ordinary;
  }

  /** The number of a step; -1 when there is none of this name. */
  int number(String name) {
    return byName.getOrDefault(name, -1);
  }

  /** Whether a step is a question to people, for which nothing runs. */
  boolean asksPeople(int number) {
    return steps.get(number).work() instanceof StepWork.Approval;
  }

  /** The steps of a task, in the order of its values. */
  List<Integer> ofTask(String task) {
    return byTask.getOrDefault(task, List.of());
  }

  /** Whether the outputs of a task are lists, since it has a step for each of some values. */
  boolean isList(String task) {
    return ofTask(task).stream().anyMatch(number -> !steps.get(number).each().isEmpty());
  }

  /** The tasks that must be over before a step may start. */
  Set<String> needs(int number) {
    return needs.get(number);
  }

  /** The tasks whose outputs a step uses. */
  Set<String> uses(int number) {
    return uses.get(number);
  }

  /** The steps that need a task. */
  List<Integer> dependents(String task) {
    return dependents.getOrDefault(task, List.of());
  }

  /** The steps that depend on some steps, directly or not, and these themselves. */
  Set<Integer> downstream(Set<Integer> from) {
    Set<Integer> found = new LinkedHashSet<>(from);
    List<Integer> open = new ArrayList<>(from);
    while (!open.isEmpty()) {
      String task = steps.get(open.removeLast()).task();
      for (int next : dependents(task)) {
        if (found.add(next)) {
          open.add(next);
        }
      }
    }
    return found;
  }
}
