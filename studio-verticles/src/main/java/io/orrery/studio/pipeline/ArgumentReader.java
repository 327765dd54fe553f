package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.pipeline.Argument.Range;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the schema of arguments, attribute by attribute, with everything that is wrong in it. */
final class ArgumentReader {
  private static final List<String> ATTRIBUTES =
      List.of(
          "type",
          "item_type",
          "label",
          "require",
          "choice",
          "range",
          "default",
          "placeholder",
          "describe",
          "editable",
          "sub_args");

  /** The languages of an editor, which a text has in place of a type of items. */
  private static final List<String> LANGUAGES =
      List.of("str", "text", "python", "java", "json", "sql", "shell", "yaml");

  private static final int MOST_ARGUMENTS = 1_000;
  private static final int MOST_CHOICES = 10_000;
  private static final int MOST_TEXT = 10_000;
  private static final int DEEPEST = 5;

  private final Consumer<Finding> findings;

  private ArgumentReader(Consumer<Finding> findings) {
    this.findings = findings;
  }

  /** Reads arguments in groups: {@code {group: {name: attributes}}}. */
  static Map<String, Argument> groups(
      ObjectNode groups, String pointer, Consumer<Finding> findings) {
    Map<String, Argument> all = new LinkedHashMap<>();
    DocumentKeys keys = open(groups, pointer, findings);
    groups
        .fieldNames()
        .forEachRemaining(group -> {
          ObjectNode members = keys.object(group);
          if (members != null) {
            arguments(members, keys.pointer(group), findings)
                .forEach((name, argument) -> {
                  if (all.putIfAbsent(name, argument) != null) {
                    keys.wrong(group, "the argument " + name + " is in another group as well");
                  }
                });
          }
        });
    return all;
  }

  /** Reads arguments by their names: {@code {name: attributes}}. */
  static Map<String, Argument> arguments(
      ObjectNode members, String pointer, Consumer<Finding> findings) {
    return new ArgumentReader(findings).members(members, pointer, 1);
  }

  private static DocumentKeys open(ObjectNode json, String pointer, Consumer<Finding> findings) {
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    return DocumentKeys.of(json, pointer, names, findings);
  }

  private Map<String, Argument> members(ObjectNode members, String pointer, int depth) {
    DocumentKeys keys = open(members, pointer, findings);
    Map<String, Argument> read = new LinkedHashMap<>();
    if (members.size() > MOST_ARGUMENTS || depth > DEEPEST) {
      findings.accept(
          new Finding(
              pointer,
              "there are at most %,d arguments, and dicts at most %d deep"
                  .formatted(MOST_ARGUMENTS, DEEPEST)));
      return read;
    }
    members
        .fieldNames()
        .forEachRemaining(name -> {
          ObjectNode attributes = keys.object(name);
          if (name.isBlank() || name.length() > 200 || name.indexOf('\0') >= 0) {
            keys.wrong(name, "the name of an argument has 1 to 200 characters");
          } else if (attributes != null) {
            read.put(name, argument(name, keys.inner(attributes, name, ATTRIBUTES), depth));
          }
        });
    return read;
  }

  private Argument argument(String name, DocumentKeys keys, int depth) {
    ArgumentType type = type(keys, "type", ArgumentType.words(), ArgumentType.STR);
    ArgumentType itemType = itemType(keys, type);
    keys.text("label", MOST_TEXT);
    keys.text("placeholder", MOST_TEXT);
    keys.text("describe", MOST_TEXT);
    keys.flag("editable", true);
    Map<String, Argument> inner = inner(keys, type, itemType, depth);
    Argument bare =
        new Argument(
            name,
            type,
            itemType,
            keys.flag("require", true),
            choice(keys, type, itemType),
            range(keys, type, itemType),
            null,
            inner);
    JsonNode usual = keys.value("default");
    if (usual == null || (usual.isTextual() && usual.textValue().isEmpty())) {
      return bare;
    }
    JsonNode checked = ArgumentCheck.value(bare, usual, keys.pointer("default"), findings);
    return new Argument(
        name, type, itemType, bare.required(), bare.choice(), bare.range(), checked, inner);
  }

  private static ArgumentType type(
      DocumentKeys keys, String key, List<String> words, ArgumentType usual) {
    String word = keys.text(key, 100);
    if (word == null) {
      return usual;
    }
    Optional<ArgumentType> type = ArgumentType.of(word).filter(found -> words.contains(word));
    if (type.isEmpty()) {
      keys.wrong(key, key + " is one of " + String.join(", ", words) + Nearest.hint(word, words));
    }
    return type.orElse(usual);
  }

  private static ArgumentType itemType(DocumentKeys keys, ArgumentType type) {
    if (type == ArgumentType.TEXT) {
      String language = keys.text("item_type", 100);
      if (language != null && !LANGUAGES.contains(language)) {
        keys.wrong(
            "item_type",
            "item_type of a text is the language of its editor: "
                + String.join(", ", LANGUAGES)
                + Nearest.hint(language, LANGUAGES));
      }
      return ArgumentType.STR;
    }
    return type(
        keys,
        "item_type",
        ArgumentType.OF_ITEMS.stream().map(ArgumentType::word).sorted().toList(),
        ArgumentType.STR);
  }

  private Map<String, Argument> inner(
      DocumentKeys keys, ArgumentType type, ArgumentType itemType, int depth) {
    boolean needed =
        type == ArgumentType.DICT || (type == ArgumentType.LIST && itemType == ArgumentType.DICT);
    ObjectNode object = keys.object("sub_args");
    if (needed && (object == null || object.isEmpty())) {
      keys.wrong("sub_args", "a dict needs sub_args, the arguments that it has");
    } else if (!needed && object != null && !object.isEmpty()) {
      keys.wrong("sub_args", "sub_args belong to a dict or a list of dicts");
    } else if (object != null) {
      return members(object, keys.pointer("sub_args"), depth + 1);
    }
    return Map.of();
  }

  private static List<String> choice(DocumentKeys keys, ArgumentType type, ArgumentType itemType) {
    List<JsonNode> values = keys.list("choice", MOST_CHOICES);
    if (type.hasChoice() && values.isEmpty()) {
      keys.wrong("choice", type.word() + " needs a choice: a list with a value at least");
    }
    if (!type.hasChoice() && !values.isEmpty()) {
      keys.wrong("choice", "a choice belongs to enum or multiple");
    }
    Set<String> choice = new LinkedHashSet<>();
    for (JsonNode value : values) {
      if (!value.isValueNode() || !isOf(itemType, value)) {
        keys.wrong(
            "choice", "'%s' is not of the type %s".formatted(value.asText(), itemType.word()));
      } else if (!choice.add(value.asText())) {
        keys.wrong("choice", "'" + value.asText() + "' is there twice");
      }
    }
    return List.copyOf(choice);
  }

  private static boolean isOf(ArgumentType itemType, JsonNode value) {
    return !itemType.isNumber() || ArgumentCheck.number(value.asText()) != null;
  }

  private static @Nullable Range range(
      DocumentKeys keys, ArgumentType type, ArgumentType itemType) {
    JsonNode value = keys.value("range");
    if (value == null || (value.isTextual() && value.textValue().isBlank())) {
      return null;
    }
    if (!type.isNumber() && !(type == ArgumentType.LIST && itemType.isNumber())) {
      keys.wrong("range", "a range belongs to a number or a list of numbers");
      return null;
    }
    List<String> ends = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(end -> ends.add(end.asText()));
    } else {
      ends.addAll(List.of(value.asText().split(",", -1)));
    }
    BigDecimal least = ends.size() == 2 ? ArgumentCheck.number(ends.getFirst().strip()) : null;
    BigDecimal most = ends.size() == 2 ? ArgumentCheck.number(ends.getLast().strip()) : null;
    if (least == null || most == null || least.compareTo(most) > 0) {
      keys.wrong("range", "a range is the least and the most, such as [1, 100]");
      return null;
    }
    return new Range(least, most);
  }
}
