package io.orrery.gateway.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.core.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * The elements by which the page names its modules, so that a browser asks for all of them at once.
 *
 * @param links one for each module that the first view needs
 * @param views for every other view an element with the list of its modules, which a script reads
 */
record Preloads(String links, String views) {
  private static final String START = "app.js";
  private static final String LIBRARIES = "lib/";

  /**
   * Blocks.
   *
   * @param index the page, with its import map
   * @param assets where the page's own files are
   * @param contents these files, by path
   */
  static Preloads of(String index, String assets, Map<String, byte[]> contents) throws IOException {
    String own = assets + "/";
    ModuleGraph graph =
        new ModuleGraph(
            importMap(index),
            address ->
                address.startsWith(own)
                    ? new String(contents.get(address.substring(own.length())), UTF_8)
                    : Libraries.read(address.substring(LIBRARIES.length())).plain().toString());
    Set<String> first = graph.closure(own + START);
    StringBuilder views = new StringBuilder();
    Map<String, String> later = new LinkedHashMap<>();
    for (String module : first) {
      later.putAll(graph.later(module));
    }
    for (Map.Entry<String, String> view : later.entrySet()) {
      String needed =
          graph.closure(view.getValue()).stream()
              .filter(address -> !first.contains(address))
              .collect(Collectors.joining(" "));
      views
          .append("<meta name=\"modules\" data-page=\"")
          .append(view.getKey())
          .append("\" content=\"")
          .append(needed)
          .append("\">");
    }
    String links =
        first.stream()
            .map(address -> "<link rel=\"modulepreload\" href=\"" + address + "\">")
            .collect(Collectors.joining());
    return new Preloads(links, views.toString());
  }

  /** From specifiers to addresses without the leading {@code ./}. */
  private static Map<String, String> importMap(String index) {
    Matcher map = PageFiles.IMPORT_MAP.matcher(index);
    if (!map.find()) {
      throw new IllegalStateException("ui/index.html has no import map");
    }
    Map<String, String> imports = new LinkedHashMap<>();
    Json.parse(map.group(1))
        .path("imports")
        .properties()
        .forEach(entry ->
            imports.put(entry.getKey(), entry.getValue().textValue().replaceFirst("^\\./", "")));
    return imports;
  }
}
