package io.orrery.router.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.json.Pointer;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object of a document, read key by key. What is wrong is noted with its place, and a stand-in
 * is returned so that the reading goes on: the caller refuses the document when there are findings.
 */
final class Section {
  private static final Duration LONGEST = Duration.ofDays(1);

  private final JsonNode node;
  private final String pointer;
  private final List<Finding> findings;

  private Section(JsonNode node, String pointer, List<Finding> findings) {
    this.node = node;
    this.pointer = pointer;
    this.findings = findings;
  }

  /** An object that may have these keys and no others. */
  static Section of(JsonNode node, String pointer, List<Finding> findings, List<String> keys) {
    if (!node.isObject()) {
      findings.add(
          new Finding(
              pointer, "an object with the keys " + String.join(", ", keys) + " belongs here"));
    }
    node.fieldNames()
        .forEachRemaining(name -> {
          if (!keys.contains(name)) {
            findings.add(
                new Finding(
                    Pointer.child(pointer, name),
                    "there is no key " + name + Nearest.hint(name, keys)));
          }
        });
    return new Section(node, pointer, findings);
  }

  boolean has(String key) {
    return node.hasNonNull(key);
  }

  String at(String key) {
    return Pointer.child(pointer, key);
  }

  void refuse(String key, String message) {
    findings.add(new Finding(at(key), message));
  }

  /** Notes what is wrong, if something is. */
  void refuseIf(String key, @Nullable String fault) {
    note(at(key), fault);
  }

  private void note(String place, @Nullable String fault) {
    if (fault != null) {
      findings.add(new Finding(place, fault));
    }
  }

  /** The object at a key; an empty one when it is absent. */
  Section section(String key, String... keys) {
    JsonNode child = has(key) ? node.get(key) : MissingNode.getInstance();
    return child.isMissingNode()
        ? new Section(child, at(key), findings)
        : of(child, at(key), findings, List.of(keys));
  }

  @Nullable String text(String key) {
    if (!has(key)) {
      return null;
    }
    if (!node.get(key).isValueNode()) {
      refuse(key, key + " is text");
      return null;
    }
    return node.get(key).asText();
  }

  String text(String key, String standard) {
    String text = text(key);
    return text == null ? standard : text;
  }

  int integer(String key, int standard, int low, int high) {
    if (!has(key)) {
      return standard;
    }
    Long whole = Numbers.whole(node.get(key));
    if (whole == null || whole < low || whole > high) {
      refuse(
          key, key + " is a whole number from " + low + " to " + high + ", not " + node.get(key));
      return standard;
    }
    return whole.intValue();
  }

  boolean flag(String key, boolean standard) {
    if (!has(key)) {
      return standard;
    }
    if (!node.get(key).isBoolean()) {
      refuse(key, key + " is true or false");
      return standard;
    }
    return node.get(key).booleanValue();
  }

  Duration duration(String key, Duration standard) {
    return measure(
        key,
        standard,
        Measures::duration,
        found -> !found.isNegative() && !found.isZero() && found.compareTo(LONGEST) <= 0,
        "is a time such as 500ms, 2s, 5m or 1h, above zero and up to a day");
  }

  /** The value of a declared key; null when it is absent or refused. */
  <T> @Nullable T find(ConfigKey<T> key) {
    if (!has(key.name())) {
      return null;
    }
    JsonNode value = node.get(key.name());
    try {
      return key.parse().apply(value);
    } catch (IllegalArgumentException e) {
      refuse(key.name(), key.name() + " is " + key.bounds() + ", not " + value);
      return null;
    }
  }

  double percent(String key, double standard) {
    return measure(
        key,
        standard,
        Measures::percent,
        found -> found >= 0 && found <= 100,
        "is a percentage from 0% to 100%");
  }

  <T> T measure(
      String key, T standard, Function<String, T> read, Function<T, Boolean> sound, String form) {
    String text = text(key);
    if (text == null) {
      return standard;
    }
    try {
      T found = read.apply(text);
      if (sound.apply(found)) {
        return found;
      }
    } catch (RuntimeException e) {
      // Refused below, together with values out of bounds.
    }
    refuse(key, key + " " + form + ", not '" + text + "'");
    return standard;
  }

  /** The element of an enumeration with the word at a key. */
  <T> T oneOf(String key, List<String> words, List<T> values, T standard) {
    String word = text(key);
    if (word == null) {
      return standard;
    }
    int index = words.indexOf(word);
    if (index < 0) {
      refuse(
          key,
          key
              + " is one of "
              + String.join(", ", words)
              + "; not '"
              + word
              + "'"
              + Nearest.hint(word, words));
      return standard;
    }
    return values.get(index);
  }

  /** The elements of a list; empty when it is absent. */
  <T> List<T> list(String key, BiFunction<JsonNode, String, @Nullable T> read) {
    List<T> all = new ArrayList<>();
    if (!has(key)) {
      return all;
    }
    JsonNode list = node.get(key);
    if (!list.isArray()) {
      refuse(key, key + " is a list");
      return all;
    }
    for (int i = 0; i < list.size(); i++) {
      T element = read.apply(list.get(i), Pointer.child(at(key), i));
      if (element != null) {
        all.add(element);
      }
    }
    return all;
  }

  /** The texts of a list. */
  List<String> texts(String key) {
    return list(
        key,
        (element, place) -> {
          if (element.isValueNode() && !element.isNull()) {
            return element.asText();
          }
          findings.add(new Finding(place, "text belongs here"));
          return null;
        });
  }

  /**
   * An object from names of a request to their values.
   *
   * @param fault says what is wrong with a value; null when nothing is
   */
  Map<String, String> map(String key, Function<String, @Nullable String> fault) {
    Map<String, String> all = new TreeMap<>();
    if (!has(key)) {
      return all;
    }
    if (!node.get(key).isObject()) {
      refuse(key, key + " is an object from names to values");
      return all;
    }
    node.get(key)
        .properties()
        .forEach(entry -> {
          String place = Pointer.child(at(key), entry.getKey());
          if (!entry.getValue().isValueNode() || entry.getValue().isNull()) {
            findings.add(new Finding(place, "text belongs here"));
            return;
          }
          String value = entry.getValue().asText();
          note(place, Spelling.ofName(entry.getKey()));
          note(place, fault.apply(value));
          all.put(entry.getKey(), value);
        });
    return all;
  }

  /** What stands at a key, missing when nothing does. */
  JsonNode raw(String key) {
    return node.path(key);
  }
}
