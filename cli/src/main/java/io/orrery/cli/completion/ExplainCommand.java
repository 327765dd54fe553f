package io.orrery.cli.completion;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.Table;
import io.orrery.cli.print.Table.Column;
import io.orrery.core.text.Nearest;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Explains the keys of documents by their schemas: {@code orrery explain}. */
@Command(
    name = "explain",
    description = "Explain the keys of a document: what they mean, their defaults and examples.")
public final class ExplainCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      paramLabel = "KIND[.KEY]",
      description = "A kind of documents such as service or ImageBuild; and a key.")
  private String asked = "";

  public ExplainCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<String> parts = List.of(asked.split("\\.", -1));
    String kind = parts.getFirst().toLowerCase(Locale.ROOT);
    String singular = singular(kind);
    if (!FileSchemas.NAMES.contains(singular)) {
      throw CommandFailure.refused(
          "there is no kind '%s'; there is %s%s"
              .formatted(
                  parts.getFirst(),
                  String.join(", ", FileSchemas.NAMES),
                  Nearest.hint(kind, FileSchemas.NAMES)));
    }
    JsonNode schema = FileSchemas.of(singular);
    List<String> way = new ArrayList<>(List.of(singular));
    for (String key : parts.subList(1, parts.size())) {
      JsonNode keys = keys(schema);
      if (!keys.has(key)) {
        List<String> known = new ArrayList<>();
        keys.fieldNames().forEachRemaining(known::add);
        throw CommandFailure.refused(
            known.isEmpty()
                ? "%s has no keys of its own that are known".formatted(String.join(".", way))
                : "%s has no key '%s'; it has %s%s"
                    .formatted(
                        String.join(".", way),
                        key,
                        String.join(", ", known),
                        Nearest.hint(key, known)));
      }
      schema = keys.get(key);
      way.add(key);
    }
    if (session.json()) {
      session.print(schema);
    } else {
      print(String.join(".", way), schema);
    }
    return 0;
  }

  /** The kind in the singular, by the name of its schema. */
  private static String singular(String kind) {
    String one = kind.replaceFirst("ies$", "y").replaceFirst("s$", "");
    return one.equals("build") ? "imagebuild" : one;
  }

  /** The keys of an object, or of each element of a list; empty when there are none. */
  private static JsonNode keys(JsonNode schema) {
    JsonNode own = schema.path("properties");
    return own.isMissingNode() ? schema.path("items").path("properties") : own;
  }

  private void print(String name, JsonNode schema) {
    PrintStream out = session.terminal().out();
    out.println(name + "  " + type(schema));
    out.println("  " + schema.path("description").asText("-"));
    line(out, "one of", schema.get("enum"));
    line(out, "always", schema.get("const"));
    line(out, "default", schema.get("default"));
    line(out, "at least", schema.get("minimum"));
    line(out, "at most", schema.get("maximum"));
    line(out, "required", schema.get("required"));
    for (JsonNode example : schema.path("examples")) {
      line(out, "example", example);
    }
    JsonNode keys = keys(schema);
    if (keys.isEmpty()) {
      return;
    }
    out.println();
    Table table =
        new Table(
            Column.text("KEY"),
            Column.text("TYPE"),
            Column.text("DEFAULT"),
            Column.text("MEANING"));
    keys.properties()
        .forEach(entry ->
            table.row(
                entry.getKey(),
                type(entry.getValue()),
                entry.getValue().has("default") ? text(entry.getValue().get("default")) : "-",
                entry.getValue().path("description").asText("-")));
    table.print(session.terminal());
  }

  private static void line(PrintStream out, String what, @Nullable JsonNode value) {
    if (value != null) {
      out.println("  " + what + ": " + text(value));
    }
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.asText() : value.toString();
  }

  /** The type in words: {@code string or object}. */
  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isTextual()) {
      String items = schema.path("items").path("type").asText("");
      return items.isEmpty() ? type.asText() : type.asText() + " of " + items;
    }
    if (type.isArray()) {
      return StreamSupport.stream(type.spliterator(), false)
          .map(JsonNode::asText)
          .reduce((one, other) -> one + " or " + other)
          .orElse("any");
    }
    if (schema.has("enum") || schema.has("const")) {
      return "string";
    }
    return StreamSupport.stream(schema.path("anyOf").spliterator(), false)
        .map(ExplainCommand::type)
        .distinct()
        .reduce((one, other) -> one + " or " + other)
        .orElse("any");
  }
}
