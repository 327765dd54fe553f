package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.text.Nearest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks values of arguments against their schema, every attribute of it. */
final class ArgumentCheck {
  private static final Pattern SEPARATORS = Pattern.compile("[\\s,;]+");
  private static final Pattern BLANK_LINES = Pattern.compile("\\A(\\h*\\R)+");
  private static final int MOST_DIGITS = 400;
  private static final int MOST_CHARACTERS = 100_000;
  private static final int MOST_ITEMS = 10_000;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Consumer<Finding> findings;

  private ArgumentCheck(Consumer<Finding> findings) {
    this.findings = findings;
  }

  /**
   * Checks values by their names; missing ones take their defaults.
   *
   * @return the values in the order of the schema, without those that have none
   */
  static ObjectNode all(
      Map<String, Argument> schema, ObjectNode values, String pointer, Consumer<Finding> findings) {
    return new ArgumentCheck(findings).members(schema, values, pointer);
  }

  /**
   * Checks one value.
   *
   * @return the value as its type has it; null when it is wrong
   */
  static @Nullable JsonNode value(
      Argument argument, JsonNode value, String pointer, Consumer<Finding> findings) {
    return new ArgumentCheck(findings).check(argument, value, pointer);
  }

  /** The number of a text; null when it is none, or one that no program could take. */
  static @Nullable BigDecimal number(String text) {
    if (text.isEmpty() || text.length() > MOST_DIGITS) {
      return null;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      return Math.abs((long) number.scale()) > MOST_DIGITS ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void wrong(String pointer, String message) {
    findings.accept(new Finding(pointer, message));
  }

  private ObjectNode members(Map<String, Argument> schema, ObjectNode values, String pointer) {
    values
        .fieldNames()
        .forEachRemaining(name -> {
          if (!schema.containsKey(name)) {
            String known = schema.isEmpty() ? "there are none" : String.join(", ", schema.keySet());
            wrong(
                Pointer.child(pointer, name),
                "there is no argument '%s' here%s; %s"
                    .formatted(name, Nearest.hint(name, schema.keySet()), known));
          }
        });
    ObjectNode checked = NODES.objectNode();
    schema.forEach((name, argument) -> {
      JsonNode value = values.get(name);
      boolean missing =
          value == null || value.isNull() || (value.isTextual() && value.textValue().isEmpty());
      JsonNode usual = argument.usual();
      if (!missing) {
        JsonNode right = check(argument, value, Pointer.child(pointer, name));
        if (right != null) {
          checked.set(name, right);
        }
      } else if (usual != null) {
        checked.set(name, usual);
      } else if (argument.required()) {
        wrong(Pointer.child(pointer, name), name + " is missing, and has no default");
      }
    });
    return checked;
  }

  private @Nullable JsonNode check(Argument argument, JsonNode value, String pointer) {
    return switch (argument.type()) {
      case INT, FLOAT -> number(argument, value, pointer);
      case BOOL -> truth(argument, value, pointer);
      case STR, TEXT, FILE -> text(argument, value, pointer);
      case ENUM -> choice(argument, value, pointer);
      case MULTIPLE -> choices(argument, value, pointer);
      case DICT -> dict(argument, value, pointer);
      case LIST -> list(argument, value, pointer);
      case JSON -> json(argument, value, pointer);
    };
  }

  private @Nullable JsonNode number(Argument argument, JsonNode value, String pointer) {
    BigDecimal number = value.isValueNode() ? number(value.asText().strip()) : null;
    boolean whole = argument.type() == ArgumentType.INT;
    if (number == null || (whole && number.stripTrailingZeros().scale() > 0)) {
      String kind = whole ? "a whole number" : "a number";
      wrong(pointer, "%s is %s, not %s".formatted(argument.name(), kind, shown(value)));
      return null;
    }
    Argument.Range range = argument.range();
    if (range != null && !range.has(number)) {
      wrong(
          pointer,
          "%s is from %s, not %s".formatted(argument.name(), range, number.toPlainString()));
      return null;
    }
    return whole ? NODES.numberNode(number.toBigInteger()) : NODES.numberNode(number);
  }

  private @Nullable JsonNode truth(Argument argument, JsonNode value, String pointer) {
    return switch (value.isValueNode() ? value.asText().strip() : "") {
      case "true", "1" -> NODES.booleanNode(true);
      case "false", "0" -> NODES.booleanNode(false);
      default -> {
        wrong(pointer, argument.name() + " is true or false, not " + shown(value));
        yield null;
      }
    };
  }

  private @Nullable JsonNode text(Argument argument, JsonNode value, String pointer) {
    if (!value.isValueNode()) {
      wrong(pointer, argument.name() + " is a text, not " + shown(value));
      return null;
    }
    String text = value.asText();
    if (text.indexOf('\0') >= 0) {
      wrong(pointer, argument.name() + " has a character 0, which no program can be given");
      return null;
    }
    if (text.length() > MOST_CHARACTERS) {
      wrong(
          pointer,
          "%s has at most %,d characters, not %,d"
              .formatted(argument.name(), MOST_CHARACTERS, text.length()));
      return null;
    }
    // The indentation of the first line means something in code.
    String trimmed =
        argument.type() == ArgumentType.TEXT
            ? BLANK_LINES.matcher(text).replaceFirst("").stripTrailing()
            : text.strip();
    if (argument.type() == ArgumentType.FILE && trimmed.isEmpty()) {
      wrong(pointer, argument.name() + " is the path of a file");
      return null;
    }
    return NODES.textNode(trimmed);
  }

  private @Nullable JsonNode choice(Argument argument, JsonNode value, String pointer) {
    String text = value.isValueNode() ? value.asText().strip() : "";
    if (!argument.choice().contains(text)) {
      wrong(
          pointer,
          "%s is one of %s, not %s%s"
              .formatted(
                  argument.name(),
                  String.join(", ", argument.choice()),
                  shown(value),
                  Nearest.hint(text, argument.choice())));
      return null;
    }
    return argument.itemType().isNumber()
        ? NODES.numberNode(new BigDecimal(text))
        : NODES.textNode(text);
  }

  private @Nullable JsonNode choices(Argument argument, JsonNode value, String pointer) {
    List<String> chosen = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(each -> chosen.add(each.asText()));
    } else if (value.isValueNode()) {
      for (String part : SEPARATORS.split(value.asText().strip(), -1)) {
        chosen.add(part);
      }
    } else {
      wrong(pointer, argument.name() + " is a list of choices, not " + shown(value));
      return null;
    }
    boolean right = true;
    for (String each : chosen) {
      if (!argument.choice().contains(each)) {
        right = false;
        wrong(
            pointer,
            "%s are among %s, and '%s' is not%s"
                .formatted(
                    argument.name(),
                    String.join(", ", argument.choice()),
                    each,
                    Nearest.hint(each, argument.choice())));
      }
    }
    return right ? NODES.textNode(String.join(",", chosen)) : null;
  }

  private @Nullable JsonNode dict(Argument argument, JsonNode value, String pointer) {
    if (parsed(value) instanceof ObjectNode object) {
      return members(argument.inner(), object, pointer);
    }
    wrong(pointer, argument.name() + " is an object, not " + shown(value));
    return null;
  }

  private @Nullable JsonNode list(Argument argument, JsonNode value, String pointer) {
    JsonNode items = argument.itemType() == ArgumentType.DICT ? parsed(value) : value;
    List<JsonNode> all = new ArrayList<>();
    if (items.isArray()) {
      items.forEach(all::add);
    } else if (items.isValueNode() && argument.itemType() != ArgumentType.DICT) {
      for (String part : items.asText().split(",", -1)) {
        all.add(NODES.textNode(part.strip()));
      }
    } else {
      wrong(pointer, argument.name() + " is a list, not " + shown(value));
      return null;
    }
    if (all.size() > MOST_ITEMS) {
      wrong(pointer, "%s has at most %,d elements".formatted(argument.name(), MOST_ITEMS));
      return null;
    }
    ArrayNode checked = NODES.arrayNode();
    boolean right = true;
    for (int i = 0; i < all.size(); i++) {
      String place = items.isArray() ? Pointer.child(pointer, i) : pointer;
      JsonNode item = check(argument.item(), all.get(i), place);
      right &= item != null;
      if (item != null) {
        checked.add(item);
      }
    }
    if (!right || argument.itemType() == ArgumentType.DICT) {
      return right ? checked : null;
    }
    List<String> texts = new ArrayList<>();
    checked.forEach(item -> texts.add(item.asText()));
    return NODES.textNode(String.join(",", texts));
  }

  private @Nullable JsonNode json(Argument argument, JsonNode value, String pointer) {
    if (!value.isTextual()) {
      return value;
    }
    try {
      return Json.parse(value.textValue());
    } catch (ProblemException e) {
      wrong(pointer, argument.name() + " is JSON: " + e.problem().detail());
      return null;
    }
  }

  /** An object or list that was written as a text. */
  private static JsonNode parsed(JsonNode value) {
    if (!value.isTextual()) {
      return value;
    }
    try {
      return Json.parse(value.textValue());
    } catch (ProblemException e) {
      return value;
    }
  }

  private static String shown(JsonNode value) {
    String text = value.isTextual() ? "'" + value.textValue() + "'" : Json.write(value);
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
