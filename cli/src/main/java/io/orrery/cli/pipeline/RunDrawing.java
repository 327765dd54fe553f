package io.orrery.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The graph of a run as lines of text: each task stands below one of those that it waits for, the
 * one that is furthest from the beginning, and names the others.
 */
final class RunDrawing {
  private static final Pattern OUTPUT_OF = Pattern.compile("\\{\\{\\s*tasks\\.([A-Za-z0-9_-]+)\\.");
  private static final int LONGEST_REASON = 200;

  /** The statuses by which a task of several steps is called, the first that one of them has. */
  private static final List<String> TELLING =
      List.of("FAILED", "RUNNING", "WAITING", "READY", "STOPPED", "BLOCKED", "OMITTED", "SKIPPED");

  private static final Set<String> OVER =
      Set.of("SUCCEEDED", "CACHED", "FAILED", "STOPPED", "SKIPPED", "OMITTED");

  /** The tasks that each waits for, by name in the order of the document. */
  private final Map<String, List<String>> tasks;

  private final Map<String, Integer> depths = new HashMap<>();
  private final Map<String, List<String>> below = new HashMap<>();

  /** The tasks that another one stands below, by name; a task without is a root. */
  private final Map<String, String> parents = new HashMap<>();

  private RunDrawing(Map<String, List<String>> tasks) {
    this.tasks = tasks;
    for (String task : tasks.keySet()) {
      waitedFor(task).stream()
          .max(Comparator.comparingInt(this::depth))
          .ifPresent(parent -> {
            parents.put(task, parent);
            below.computeIfAbsent(parent, first -> new ArrayList<>()).add(task);
          });
    }
  }

  /**
   * The graph of a run.
   *
   * @param pipeline the document that runs; null when it is not known, then without edges
   */
  static RunDrawing of(JsonNode run, @Nullable JsonNode pipeline) {
    Set<String> there = new LinkedHashSet<>();
    run.path("steps").forEach(step -> there.add(task(step)));
    Map<String, List<String>> tasks = new LinkedHashMap<>();
    if (pipeline != null) {
      for (JsonNode task : pipeline.path("tasks")) {
        String name = task.path("name").asText();
        if (there.contains(name)) {
          tasks.put(name, dependencies(task, there));
        }
      }
    }
    there.forEach(name -> tasks.putIfAbsent(name, List.of()));
    return new RunDrawing(tasks);
  }

  private static List<String> dependencies(JsonNode task, Set<String> there) {
    Set<String> found = new LinkedHashSet<>();
    task.path("after").forEach(name -> found.add(name.asText()));
    Matcher mentioned = OUTPUT_OF.matcher(task.toString());
    while (mentioned.find()) {
      found.add(mentioned.group(1));
    }
    found.retainAll(there);
    found.remove(task.path("name").asText());
    return List.copyOf(found);
  }

  private static String task(JsonNode step) {
    return step.path("task").asText(step.path("name").asText());
  }

  private List<String> waitedFor(String task) {
    return tasks.getOrDefault(task, List.of());
  }

  /** The longest way from a task that waits for none. A circle, which no run has, counts once. */
  private int depth(String task) {
    Integer known = depths.get(task);
    if (known != null) {
      return known;
    }
    depths.put(task, 0);
    int depth = 0;
    for (String before : waitedFor(task)) {
      depth = Math.max(depth, depth(before) + 1);
    }
    depths.put(task, depth);
    return depth;
  }

  /** The lines, one for each task, with its state in a run. */
  List<String> lines(JsonNode run) {
    Map<String, List<JsonNode>> steps = new HashMap<>();
    run.path("steps")
        .forEach(step -> steps.computeIfAbsent(task(step), first -> new ArrayList<>()).add(step));
    Map<String, String> names = new LinkedHashMap<>();
    tasks.keySet().stream()
        .filter(task -> !parents.containsKey(task))
        .forEach(root -> draw(root, "", "", names));
    int width = names.values().stream().mapToInt(String::length).max().orElse(0);
    return names.entrySet().stream()
        .map(each ->
            each.getValue()
                + " ".repeat(width - each.getValue().length())
                + "  "
                + state(each.getKey(), steps.getOrDefault(each.getKey(), List.of())))
        .map(String::stripTrailing)
        .toList();
  }

  private void draw(String task, String first, String others, Map<String, String> names) {
    names.put(task, first + task);
    List<String> next = below.getOrDefault(task, List.of());
    for (int i = 0; i < next.size(); i++) {
      boolean last = i == next.size() - 1;
      draw(next.get(i), others + (last ? "└─ " : "├─ "), others + (last ? "   " : "│  "), names);
    }
  }

  private String state(String task, List<JsonNode> steps) {
    if (steps.isEmpty()) {
      return "";
    }
    List<String> statuses = steps.stream().map(step -> step.path("status").asText()).toList();
    String status =
        TELLING.stream()
            .filter(statuses::contains)
            .findFirst()
            .orElse(statuses.contains("SUCCEEDED") ? "SUCCEEDED" : statuses.getFirst());
    StringBuilder text = new StringBuilder("%-9s".formatted(status));
    if (steps.size() > 1) {
      long over = statuses.stream().filter(OVER::contains).count();
      text.append("  %d of %d".formatted(over, steps.size()));
    }
    String also =
        waitedFor(task).stream()
            .filter(other -> !other.equals(parents.get(task)))
            .collect(Collectors.joining(", "));
    if (!also.isEmpty()) {
      text.append("  after ").append(also).append(" too");
    }
    steps.stream()
        .filter(step -> step.path("status").asText().equals(status))
        .map(step -> step.path("reason").asText("").lines().findFirst().orElse(""))
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .ifPresent(reason ->
            text.append("  ")
                .append(reason.substring(0, Math.min(LONGEST_REASON, reason.length()))));
    return text.toString();
  }
}
