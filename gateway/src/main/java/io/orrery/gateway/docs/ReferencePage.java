package io.orrery.gateway.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.gateway.http.PlainPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** An OpenAPI document as a web page: one that can be read, searched and printed. */
final class ReferencePage {
  private static final List<String> VERBS = List.of("get", "post", "put", "patch", "delete");

  private final JsonNode document;
  private final StringBuilder html = new StringBuilder();

  ReferencePage(JsonNode document) {
    this.document = document;
  }

  String html() {
    JsonNode info = document.path("info");
    html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .append("<title>")
        .append(escaped(info.path("title").asText()))
        .append(" API</title>")
        .append(PlainPage.STYLE)
        .append("</head><body>")
        .append(PlainPage.TOP)
        .append("<main class=\"reference\"><h1>")
        .append(escaped(info.path("title").asText()))
        .append(" API</h1>\n");
    text(info.path("summary").asText());
    text(info.path("description").asText());
    text("The same for programs: <openapi.yaml>");
    html.append("<nav>");
    document.path("tags").forEach(tag -> link(tag.path("name").asText()));
    link("Schemas");
    html.append("</nav>\n");
    document.path("tags").forEach(this::group);
    schemas();
    return html.append("</main></body></html>\n").toString();
  }

  private void link(String name) {
    html.append("<a href=\"#").append(name).append("\">").append(name).append("</a>");
  }

  private void group(JsonNode tag) {
    String name = tag.path("name").asText();
    html.append("<section id=\"").append(name).append("\"><h2>").append(name).append("</h2>\n");
    text(tag.path("description").asText());
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      for (String verb : VERBS) {
        JsonNode operation = path.getValue().path(verb);
        if (operation.at("/tags/0").asText().equals(name)) {
          operation(verb, path.getKey(), path.getValue(), operation);
        }
      }
    }
    html.append("</section>\n");
  }

  private void operation(String verb, String path, JsonNode shared, JsonNode operation) {
    html.append("<details id=\"")
        .append(operation.path("operationId").asText())
        .append("\"><summary><span class=\"verb\">")
        .append(verb.toUpperCase(Locale.ROOT))
        .append("</span><code class=\"path\">")
        .append(escaped(path))
        .append("</code><span class=\"what\">")
        .append(inline(operation.path("summary").asText()))
        .append("</span></summary><div>");
    text(operation.path("description").asText());
    List<JsonNode> parameters = new ArrayList<>();
    shared.path("parameters").forEach(parameters::add);
    operation.path("parameters").forEach(parameters::add);
    if (!parameters.isEmpty()) {
      html.append("<h4>Parameters</h4><table>");
      parameters.forEach(parameter -> parameter(resolved(parameter)));
      html.append("</table>");
    }
    JsonNode body = operation.path("requestBody");
    if (!body.isMissingNode()) {
      html.append("<h4>Body</h4><table>");
      contents("", body);
      html.append("</table>");
    }
    html.append("<h4>Answers</h4><table>");
    for (Map.Entry<String, JsonNode> answer : operation.path("responses").properties()) {
      contents(answer.getKey(), resolved(answer.getValue()));
    }
    html.append("</table></div></details>\n");
  }

  private void parameter(JsonNode parameter) {
    JsonNode schema = parameter.path("schema");
    row(
        code(parameter.path("name").asText()),
        "<span class=\"quiet\">"
            + escaped(parameter.path("in").asText())
            + "</span> "
            + type(schema)
            + standard(schema),
        inline(parameter.path("description").asText()));
  }

  private void contents(String status, JsonNode answer) {
    StringJoiner kinds = new StringJoiner("<br>");
    for (Map.Entry<String, JsonNode> content : answer.path("content").properties()) {
      kinds.add(code(content.getKey()) + " " + type(content.getValue().path("schema")));
    }
    String name = status.equals("default") ? "else" : status;
    row(code(name), kinds.toString(), inline(answer.path("description").asText()));
  }

  private void schemas() {
    html.append("<section id=\"Schemas\"><h2>Schemas</h2>\n");
    for (Map.Entry<String, JsonNode> schema : document.at("/components/schemas").properties()) {
      String type = type(schema.getValue());
      // The link is beside the summary: inside it, the keyboard could not follow it.
      String words = type.replaceAll("</?a[^>]*>", "");
      html.append("<details id=\"schema-")
          .append(schema.getKey())
          .append("\"><summary><code>")
          .append(schema.getKey())
          .append("</code><span class=\"what\">")
          .append(words)
          .append("</span></summary><div>");
      if (!words.equals(type)) {
        html.append("<p>").append(type).append("</p>");
      }
      text(schema.getValue().path("description").asText());
      html.append("<table>");
      for (Map.Entry<String, JsonNode> field : schema.getValue().path("properties").properties()) {
        row(
            code(field.getKey()),
            type(field.getValue()),
            inline(field.getValue().path("description").asText()));
      }
      html.append("</table></div></details>\n");
    }
    html.append("</section>");
  }

  // ---- small things --------------------------------------------------------------------------

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asText();
    return reference.isEmpty() ? node : document.at(reference.substring(1));
  }

  private static String type(JsonNode schema) {
    String reference = schema.path("$ref").asText();
    if (!reference.isEmpty()) {
      String name = reference.substring(reference.lastIndexOf('/') + 1);
      return "<a href=\"#schema-" + name + "\">" + name + "</a>";
    }
    if (schema.has("enum")) {
      return joined(schema.path("enum"), value -> code(value.asText()), " ");
    }
    if (schema.has("const")) {
      return code(schema.path("const").asText());
    }
    if (schema.has("oneOf")) {
      return joined(schema.path("oneOf"), ReferencePage::type, " or ");
    }
    JsonNode type = schema.path("type");
    String word = type.isArray() ? joined(type, JsonNode::asText, " or ") : type.asText();
    return schema.has("items") ? word + " of " + type(schema.path("items")) : word + range(schema);
  }

  private static String range(JsonNode schema) {
    String least = schema.path("minimum").asText();
    String most = schema.path("maximum").asText();
    if (least.isEmpty()) {
      return "";
    }
    return most.isEmpty() ? ", " + least + " or more" : ", " + least + " to " + most;
  }

  private static String standard(JsonNode schema) {
    String standard = schema.path("default").asText();
    return standard.isEmpty() ? "" : ", else " + code(standard);
  }

  private static String joined(JsonNode list, Function<JsonNode, String> each, String between) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(each)
        .collect(Collectors.joining(between));
  }

  private void row(String... cells) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append("<td>").append(cell).append("</td>");
    }
    html.append("</tr>");
  }

  /** Paragraphs, and tables as Markdown writes them. */
  private void text(String markdown) {
    for (String block : markdown.strip().split("\n\\s*\n")) {
      if (block.startsWith("|")) {
        html.append("<table>");
        block
            .lines()
            .filter(line -> !line.startsWith("|-"))
            .forEach(line -> {
              String[] cells = line.substring(1).strip().replaceAll("\\|$", "").split("\\|");
              for (int i = 0; i < cells.length; i++) {
                cells[i] = inline(cells[i].strip());
              }
              row(cells);
            });
        html.append("</table>");
      } else if (!block.isBlank()) {
        html.append("<p>").append(inline(block)).append("</p>");
      }
    }
  }

  private static String inline(String markdown) {
    return escaped(markdown)
        .replaceAll("`([^`]+)`", "<code>$1</code>")
        .replaceAll("&lt;([a-z./]+\\.yaml)&gt;", "<a href=\"$1\">$1</a>");
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "<code>" + escaped(text) + "</code>";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
