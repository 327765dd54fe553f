package io.orrery.gateway.page;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The static imports of ES modules, followed to their end: what a browser needs before it can run a
 * module. Named in the page, all of it is fetched at once instead of one level after the other.
 *
 * @param imports the import map: from a specifier, or a prefix that ends with a slash, to an
 *     address
 * @param source reads a module's text by its address
 */
record ModuleGraph(Map<String, String> imports, Source source) {
  private static final Pattern STATIC =
      Pattern.compile("\\b(?:import|export)(?:[\\w\\s{},*$]*?\\bfrom)?\\s*\"([^\"]+)\"");
  private static final Pattern DYNAMIC =
      Pattern.compile("(\\w+): \\(\\) => import\\(\"([^\"]+)\"\\)");

  /** Reads modules. */
  @FunctionalInterface
  interface Source {
    /**
     * @param address as it stands in the page
     */
    String read(String address) throws IOException;
  }

  ModuleGraph {
    imports = Map.copyOf(imports);
  }

  /** A module and all that it needs, in the order in which they are met. */
  Set<String> closure(String root) throws IOException {
    Set<String> met = new LinkedHashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(root));
    while (!next.isEmpty()) {
      String address = next.removeFirst();
      if (met.add(address)) {
        Matcher found = STATIC.matcher(source.read(address));
        while (found.find()) {
          String imported = resolve(address, found.group(1));
          if (imported != null) {
            next.addLast(imported);
          }
        }
      }
    }
    return met;
  }

  /** The modules that a module loads when they are needed, by the names that it gives them. */
  Map<String, String> later(String address) throws IOException {
    Map<String, String> modules = new LinkedHashMap<>();
    Matcher found = DYNAMIC.matcher(source.read(address));
    while (found.find()) {
      String module = resolve(address, found.group(2));
      if (module != null) {
        modules.put(found.group(1), module);
      }
    }
    return modules;
  }

  /** Null for a specifier that the import map does not know: a word in a text. */
  private @Nullable String resolve(String from, String specifier) {
    if (specifier.startsWith("./") || specifier.startsWith("../")) {
      return normalized(from.substring(0, from.lastIndexOf('/') + 1) + specifier);
    }
    String whole = imports.get(specifier);
    if (whole != null) {
      return whole;
    }
    String folder = specifier.substring(0, specifier.indexOf('/') + 1);
    String start = imports.get(folder);
    return start == null ? null : start + specifier.substring(folder.length());
  }

  private static String normalized(String path) {
    Deque<String> steps = new ArrayDeque<>();
    for (String step : path.split("/")) {
      if (step.equals("..") && !steps.isEmpty() && !steps.getLast().equals("..")) {
        steps.removeLast();
      } else if (!step.equals(".") && !step.isEmpty()) {
        steps.addLast(step);
      }
    }
    return String.join("/", steps);
  }
}
