package io.orrery.gateway.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The OpenAPI document, assembled from {@code shared.yaml} and one part for each tag: its
 * description, its paths, and the components that belong to it.
 *
 * <p>A part is appended as text, heading by heading, so that the document is served as it was
 * written. A heading is a key of the document ({@code paths:}) or of its components ({@code
 * schemas:}); {@code shared.yaml} has all of them in their order.
 */
public final class OpenApiDocument {
  static final String SHARED = "shared";

  /** In the order in which the page for people has them. */
  static final List<String> TAGS =
      List.of(
          "experiments",
          "trials",
          "metrics",
          "live",
          "catalogue",
          "serving",
          "services",
          "notebooks",
          "files",
          "images",
          "models",
          "pipelines",
          "people",
          "server");

  private static final String COMPONENTS = "components:";
  private static final Pattern COMPONENT_HEADING = Pattern.compile("  \\w+:");

  private final Map<String, StringBuilder> bodies = new LinkedHashMap<>();

  /** Reads the shared part, which says what headings there are. */
  OpenApiDocument(String shared) {
    append(SHARED, shared, true);
  }

  /** Blocks. Assembles the document of this server. */
  public static String assemble() {
    OpenApiDocument document = new OpenApiDocument(part(SHARED));
    TAGS.forEach(tag -> document.append(tag, part(tag)));
    return document.text();
  }

  /**
   * Appends a part.
   *
   * @throws IllegalStateException when it has a heading that the shared part lacks
   */
  void append(String name, String part) {
    append(name, part, false);
  }

  private void append(String name, String part, boolean mayDeclare) {
    String top = "";
    StringBuilder body = new StringBuilder();
    for (String line : part.lines().toList()) {
      boolean isTop = !line.isEmpty() && line.charAt(0) != ' ' && line.charAt(0) != '#';
      if (isTop || (top.equals(COMPONENTS) && isComponentHeading(line))) {
        top = isTop ? line : top;
        if (mayDeclare) {
          bodies.putIfAbsent(line, new StringBuilder());
        }
        StringBuilder declared = bodies.get(line);
        if (declared == null) {
          throw new IllegalStateException(
              name + ".yaml has the heading \"" + line + "\", which " + SHARED + ".yaml lacks");
        }
        body = declared;
      } else {
        body.append(line).append('\n');
      }
    }
  }

  private static boolean isComponentHeading(String line) {
    return line.length() > 2 && line.charAt(2) != ' ' && COMPONENT_HEADING.matcher(line).matches();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    bodies.forEach((heading, body) -> text.append(heading).append('\n').append(body));
    return text.toString();
  }

  static String part(String name) {
    String file = "openapi/" + name + ".yaml";
    try (InputStream in = OpenApiDocument.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the jar is incomplete: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
