package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.ValueText;
import io.orrery.studio.pipeline.TaskDocument.OfTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the words of a command from a template and arguments: a true is the name alone, a false or
 * empty value is nothing, an object or list is its name and its JSON, anything else name and text.
 */
final class ArgumentWords {
  /** Arguments of the original that say where a task runs, and are no flags. */
  private static final Set<String> NO_FLAGS = Set.of("images", "workdir");

  private ArgumentWords() {}

  /**
   * The words of a template with arguments without lookups.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, with every finding
   */
  static List<String> plain(TemplateDocument template, ObjectNode arguments) {
    List<Finding> findings = new ArrayList<>();
    ObjectNode checked =
        ArgumentCheck.all(template.arguments(), arguments, "/arguments", findings::add);
    if (!findings.isEmpty()) {
      throw Problem.Refused.of(findings).toException();
    }
    return words(template, checked, Map.of()).stream().map(ValueText::shown).toList();
  }

  /** The words of a task when its lookups have values. */
  static List<ValueText> frozen(
      OfTemplate action, LookupValues values, String pointer, Consumer<Finding> findings) {
    TemplateDocument template = action.template();
    Map<String, Argument> schema = new LinkedHashMap<>(template.arguments());
    ObjectNode known = action.arguments().deepCopy();
    Map<String, ValueText> later = new LinkedHashMap<>();
    action
        .lookups()
        .forEach((name, text) -> {
          if (text.outputs().isEmpty()) {
            known.put(name, values.text(text));
          } else {
            later.put(name, values.freeze(text));
            schema.remove(name);
            known.remove(name);
          }
        });
    return words(template, ArgumentCheck.all(schema, known, pointer, findings), later);
  }

  private static List<ValueText> words(
      TemplateDocument template, ObjectNode known, Map<String, ValueText> later) {
    List<ValueText> words = new ArrayList<>();
    template.command().forEach(word -> words.add(ValueText.of(word)));
    boolean team = TeamReader.kind(template) != null;
    for (String name : template.arguments().keySet()) {
      ValueText text = later.get(name);
      JsonNode value = known.get(name);
      if (name.equals(template.code())) {
        words.add(text == null ? given(value == null ? "" : value.asText()) : text);
      } else if (!NO_FLAGS.contains(name) && !(team && TeamReader.ARGUMENTS.contains(name))) {
        flag(words, name, value, text);
      }
    }
    return words;
  }

  private static void flag(
      List<ValueText> words, String name, @Nullable JsonNode value, @Nullable ValueText later) {
    if (later != null) {
      words.add(ValueText.of(name));
      words.add(later);
    } else if (value != null && value.isBoolean()) {
      if (value.booleanValue()) {
        words.add(ValueText.of(name));
      }
    } else if (value != null && !isEmpty(value)) {
      words.add(ValueText.of(name));
      words.add(given(value.isContainerNode() ? Json.write(value) : text(value)));
    }
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || (value.isContainerNode() && value.isEmpty())
        || (value.isTextual() && value.textValue().isEmpty());
  }

  /** A value as text: numbers as they are written, without an exponent. */
  static String text(JsonNode value) {
    return value.isNumber() ? value.decimalValue().toPlainString() : value.asText();
  }

  private static ValueText given(String text) {
    return new ValueText(List.of(new ValueText.Given(Objects.requireNonNull(text))));
  }
}
