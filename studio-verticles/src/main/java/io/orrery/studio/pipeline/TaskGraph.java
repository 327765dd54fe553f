package io.orrery.studio.pipeline;

import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.RunSpec;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Checks the edges between tasks: all tasks exist, and no task waits for itself. */
final class TaskGraph {
  private final Map<String, TaskDocument> tasks = new LinkedHashMap<>();
  private final Map<String, Set<String>> edges = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Consumer<Finding> findings;

  private TaskGraph(List<TaskDocument> all, Consumer<Finding> findings) {
    this.findings = findings;
    all.forEach(task -> tasks.put(task.name(), task));
  }

  static void check(List<TaskDocument> all, Consumer<Finding> findings) {
    TaskGraph graph = new TaskGraph(all, findings);
    graph.read();
    all.forEach(task -> graph.visit(task.name()));
    graph.checkSteps();
  }

  private void read() {
    tasks.forEach((name, task) -> {
      Set<String> needs = new LinkedHashSet<>();
      for (OutputRef ref : task.uses()) {
        needs.add(ref.task());
      }
      for (int i = 0; i < task.after().size(); i++) {
        String before = task.after().get(i);
        if (tasks.containsKey(before)) {
          needs.add(before);
        } else {
          findings.accept(
              new Finding(
                  Pointer.child(task.pointer() + "/after", i),
                  "there is no task '%s'%s"
                      .formatted(before, Nearest.hint(before, tasks.keySet()))));
        }
      }
      needs.retainAll(tasks.keySet());
      edges.put(name, needs);
    });
  }

  /** Depth first without recursion: a chain may be as long as the document. */
  private void visit(String root) {
    List<String> path = new ArrayList<>();
    List<List<String>> left = new ArrayList<>();
    Set<String> onPath = new HashSet<>();
    if (!seen.add(root)) {
      return;
    }
    path.add(root);
    onPath.add(root);
    left.add(new ArrayList<>(edges.getOrDefault(root, Set.of())));
    while (!path.isEmpty()) {
      List<String> next = left.getLast();
      if (next.isEmpty()) {
        onPath.remove(path.removeLast());
        left.removeLast();
        continue;
      }
      String task = next.removeFirst();
      if (onPath.contains(task)) {
        report(path.subList(path.indexOf(task), path.size()), task);
      } else if (seen.add(task)) {
        path.add(task);
        onPath.add(task);
        left.add(new ArrayList<>(edges.getOrDefault(task, Set.of())));
      }
    }
  }

  private void report(List<String> cycle, String first) {
    TaskDocument task = tasks.get(first);
    String pointer = task == null ? "" : task.pointer();
    findings.accept(
        new Finding(
            pointer,
            "tasks wait for each other in a circle: %s needs %s"
                .formatted(String.join(" needs ", cycle), first)));
  }

  /** Steps of tasks with values have names of their own, and there are not too many. */
  private void checkSteps() {
    long steps = 0;
    for (TaskDocument task : tasks.values()) {
      long copies = 1;
      for (TaskDocument.Values values : task.each().values()) {
        copies = Math.min(RunSpec.MOST_STEPS + 1L, copies * Math.max(1, values.list().size()));
      }
      steps += copies;
      for (String other : tasks.keySet()) {
        if (!task.each().isEmpty() && isStepOf(other, task.name(), copies)) {
          findings.accept(
              new Finding(
                  task.pointer() + "/name",
                  "a step of %s would be called %s, as another task is"
                      .formatted(task.name(), other)));
        }
      }
    }
    if (steps > RunSpec.MOST_STEPS) {
      findings.accept(
          new Finding(
              "/tasks",
              "a run has at most %,d steps, and this one would have more"
                  .formatted(RunSpec.MOST_STEPS)));
    }
  }

  private static boolean isStepOf(String name, String task, long copies) {
    String prefix = task + "-";
    String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
    return rest.matches("[1-9][0-9]{0,4}") && Long.parseLong(rest) <= copies;
  }
}
