package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.text.Nearest;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.pipeline.TaskDocument.Action;
import io.orrery.studio.pipeline.TaskDocument.OfTemplate;
import io.orrery.studio.pipeline.TaskDocument.Shell;
import io.orrery.studio.pipeline.TaskDocument.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the work of a task: a command, a template with arguments, or what the server does. */
final class ActionReader {
  private static final int MOST_TEXT = 30_000;
  private static final int MOST_WORDS = 1_000;
  private static final Action NOTHING = new Shell(TextTemplate.of("true"));

  private final DocumentKeys keys;
  private final LookupScope scope;
  private final PipelineSurroundings with;
  private final ValueReader values;

  ActionReader(DocumentKeys keys, LookupScope scope, PipelineSurroundings with) {
    this.keys = keys;
    this.scope = scope;
    this.with = with;
    this.values = new ValueReader(keys, scope);
  }

  Action read() {
    Optional<String> kind = ServerTaskReader.kind(keys);
    if (kind.isPresent()) {
      Action action = ServerTaskReader.read(kind.get(), keys, scope);
      return action == null ? NOTHING : action;
    }
    boolean template = keys.value("template") != null;
    boolean command = keys.value("command") != null;
    if (template == command) {
      keys.wrong("command", "a task has a command or a template: one of both");
      return NOTHING;
    }
    if (keys.value("arguments") != null && !template) {
      keys.wrong("arguments", "arguments belong to a template");
    }
    return template ? template() : command();
  }

  private Action command() {
    JsonNode value = keys.value("command");
    if (value == null || !value.isArray()) {
      String text = keys.text("command", MOST_TEXT);
      if (text == null || text.isBlank()) {
        keys.wrong("command", "the command is empty");
        return NOTHING;
      }
      return new Shell(values.read("command", text));
    }
    List<TextTemplate> words = new ArrayList<>();
    for (JsonNode word : keys.list("command", MOST_WORDS)) {
      if (word.isValueNode() && word.asText().indexOf('\0') < 0) {
        words.add(values.read("command", word.asText()));
      } else {
        keys.wrong("command", "command is a text for the shell, or a list of texts");
      }
    }
    if (words.isEmpty()) {
      keys.wrong("command", "the command is empty");
      return NOTHING;
    }
    return new Words(words);
  }

  private Action template() {
    String name = Objects.requireNonNullElse(keys.text("template", 100), "");
    TemplateDocument template = with.templates().get(name);
    if (template == null) {
      keys.wrong(
          "template",
          "there is no template '%s'%s"
              .formatted(name, Nearest.hint(name, with.templates().keySet())));
      return NOTHING;
    }
    if (template.command().isEmpty()) {
      keys.wrong(
          "template",
          "the template %s has no command, and that of its image is not known here"
              .formatted(name));
    }
    ObjectNode object = keys.object("arguments");
    ObjectNode arguments = object == null ? Json.MAPPER.createObjectNode() : object;
    List<String> known = new ArrayList<>();
    arguments.fieldNames().forEachRemaining(known::add);
    DocumentKeys inner = keys.inner(arguments, "arguments", known);
    Map<String, TextTemplate> lookups = lookups(template, arguments, inner);
    Map<String, Argument> schema = new LinkedHashMap<>(template.arguments());
    ObjectNode plain = arguments.deepCopy();
    for (String each : lookups.keySet()) {
      if (template.arguments().containsKey(each)) {
        schema.remove(each);
        plain.remove(each);
      }
    }
    ArgumentCheck.all(schema, plain, keys.pointer("arguments"), keys.findings());
    return new OfTemplate(template, arguments, lookups);
  }

  /** The texts with lookups. */
  private Map<String, TextTemplate> lookups(
      TemplateDocument template, ObjectNode arguments, DocumentKeys inner) {
    Map<String, TextTemplate> lookups = new LinkedHashMap<>();
    arguments
        .properties()
        .forEach(entry -> {
          String key = entry.getKey();
          JsonNode value = entry.getValue();
          boolean code = key.equals(template.code());
          if (value.isTextual() && value.textValue().contains("{{")) {
            TextTemplate read = new ValueReader(inner, scope).read(key, value.textValue());
            if (code && !read.isPlain()) {
              inner.wrong(
                  key,
                  "code has no lookups, so that no value is read as code: pass values by env, or"
                      + " read $ORRERY_PARAM_<NAME>; a literal {{ is written {{{{");
            }
            lookups.put(key, read);
          } else if (value.isContainerNode() && Json.write(value).contains("{{")) {
            inner.wrong(
                key, "an object or list has no lookups inside: make it one text with lookups");
          }
        });
    return lookups;
  }
}
