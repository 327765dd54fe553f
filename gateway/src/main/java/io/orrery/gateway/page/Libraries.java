package io.orrery.gateway.page;

import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The browser libraries, as their jars hold them. Read when first asked for: most of what the jars
 * contain is never loaded.
 */
final class Libraries {
  /** What the import map of the page names. */
  private static final List<String> NAMES =
      List.of(
          "lit",
          "lit-element",
          "lit-html",
          "reactive-element",
          "echarts",
          "yaml",
          "at/codemirror/commands",
          "at/codemirror/language",
          "at/codemirror/state",
          "at/codemirror/view",
          "at/lezer/common",
          "crelt",
          "find-cluster-break",
          "highlight",
          "legacy-modes",
          "style-mod",
          "w3c-keyname");

  private static final Pattern FILE =
      Pattern.compile(
          "((?:at/[a-z]+/)?[a-z0-9-]+)/[0-9][0-9.]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)+\\.js");
  private static final String FOLDER = "META-INF/resources/_static/";

  private Libraries() {}

  /**
   * Blocks.
   *
   * @param path library, version and file, such as {@code lit/3.3.3/index.js}
   * @throws io.orrery.core.problem.ProblemException NotFound when the page has no such library
   */
  static Asset read(String path) throws IOException {
    var match = FILE.matcher(path);
    if (match.matches() && NAMES.contains(match.group(1))) {
      try (InputStream in = Libraries.class.getClassLoader().getResourceAsStream(FOLDER + path)) {
        if (in != null) {
          return Asset.of(path, in.readAllBytes());
        }
      }
    }
    throw new Problem.NotFound("The page has no library file '" + path + "'.").toException();
  }
}
