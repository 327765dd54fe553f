package io.orrery.gateway.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Inlines the imports of style sheets, so that a browser loads all of them with one request. */
final class StyleSheets {
  private static final Pattern IMPORT = Pattern.compile("@import \"([a-z-]+\\.css)\";\n");

  private StyleSheets() {}

  /**
   * The text of a sheet with its imports resolved, which are relative to its folder and not nested.
   *
   * @param contents of all files, by path
   * @throws IllegalStateException when it imports a sheet that is not there
   */
  static byte[] joined(Map<String, byte[]> contents, String path) {
    String folder = path.substring(0, path.lastIndexOf('/') + 1);
    return IMPORT
        .matcher(text(contents, path))
        .replaceAll(found -> Matcher.quoteReplacement(text(contents, folder + found.group(1))))
        .getBytes(UTF_8);
  }

  private static String text(Map<String, byte[]> contents, String path) {
    byte[] bytes = contents.get(path);
    if (bytes == null) {
      throw new IllegalStateException("ui/" + path + " is missing");
    }
    return new String(bytes, UTF_8);
  }
}
