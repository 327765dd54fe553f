package io.orrery.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.core.json.Pointer;
import io.orrery.core.number.Numbers;
import io.orrery.core.text.Nearest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The type of a key's value, with its canonical form. */
public sealed interface ValueType {
  /**
   * Reads a value that is not null.
   *
   * @param pointer canonical
   * @return the canonical value; null when there is none, after a finding
   */
  @Nullable JsonNode read(JsonNode value, String pointer, Walk walk);

  /**
   * A text.
   *
   * @param most characters that it may have
   */
  record Text(int most) implements ValueType {
    /** The usual limit: texts are kept with an experiment and sent with every answer about it. */
    private static final int USUAL = 1 << 20;

    public Text() {
      this(USUAL);
    }

    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      if (!value.isTextual()) {
        String quotes = value.isValueNode() ? ": put it in quotes" : "";
        return refuse(walk, pointer, "must be text, this is " + Shown.of(value) + quotes);
      }
      if (value.textValue().isBlank()) {
        return refuse(walk, pointer, "must not be empty");
      }
      if (value.textValue().indexOf('\0') >= 0) {
        return refuse(walk, pointer, "has a NUL character, which nothing here can hold");
      }
      if (value.textValue().length() > most) {
        return refuse(
            walk,
            pointer,
            "has %,d characters, and may have at most %,d"
                .formatted(value.textValue().length(), most));
      }
      return value;
    }
  }

  /** A password or a token: stored sealed, unless it only says where the secret is. */
  record Secret() implements ValueType {
    /** How a secret begins that the command line asks for before it sends the configuration. */
    private static final String ASKED = "prompt:";

    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      if (!value.isTextual()) {
        // What it is is not repeated: it may be the secret.
        return refuse(walk, pointer, "must be text: put it in quotes");
      }
      if (value.textValue().startsWith(ASKED)) {
        return refuse(
            walk,
            pointer,
            "is left to the user who submits it: `orrery` and `nnictl` ask for it on a terminal; "
                + "here write env:NAME, file:/path, or the secret itself");
      }
      if (!ServerFiles.maySay(value.textValue(), walk)) {
        return refuse(
            walk,
            pointer,
            "names a variable or file of the server, or a secret that was sealed before, which only"
                + " administrators may: write the secret itself, it is stored sealed");
      }
      JsonNode text = new Text().read(value, pointer, walk);
      return text == null ? null : TextNode.valueOf(walk.seal(text.textValue()));
    }
  }

  /** A word of a list; case does not count. */
  record Word(List<String> words) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      String text = value.isTextual() ? value.textValue() : null;
      for (String word : words) {
        if (word.equalsIgnoreCase(text)) {
          return TextNode.valueOf(word);
        }
      }
      String hint = text == null ? "" : Nearest.hint(text, words);
      return refuse(
          walk,
          pointer,
          "must be one of " + String.join(", ", words) + ", this is " + Shown.of(value) + hint);
    }
  }

  /**
   * A choice of earlier experiments: {@code auto}, {@code off}, or a list of their ids, each of
   * which may say how parameters are renamed.
   */
  record Transfer() implements ValueType {
    public static final String AUTO = "auto";
    public static final String OFF = "off";

    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      if (value.isArray()) {
        ArrayNode sources = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < value.size(); i++) {
          JsonNode source = TransferSource.read(value.get(i), Pointer.child(pointer, i), walk);
          if (source == null) {
            return null;
          }
          sources.add(source);
        }
        return sources;
      }
      // A bare off is false in YAML.
      if (value.isBoolean() && !value.booleanValue()) {
        return TextNode.valueOf(OFF);
      }
      for (String word : List.of(AUTO, OFF)) {
        if (value.isTextual() && word.equalsIgnoreCase(value.textValue())) {
          return TextNode.valueOf(word);
        }
      }
      return refuse(
          walk,
          pointer,
          "must be auto, off, or a list of ids of experiments, this is " + Shown.of(value));
    }
  }

  /** A whole number between two bounds, both included; {@code 3.0} is one. */
  record Whole(long least, long most) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      Long whole = Numbers.whole(value);
      return whole != null && whole >= least && whole <= most
          ? LongNode.valueOf(whole)
          : refuse(
              walk,
              pointer,
              "must be a whole number" + bounds(value) + ", this is " + Shown.of(value));
    }

    private String bounds(JsonNode value) {
      boolean tooLarge = value.isNumber() && value.doubleValue() > most;
      if (tooLarge) {
        return " of at most " + most;
      }
      return switch (Long.signum(least)) {
        case 1 -> " > " + (least - 1);
        case 0 -> " >= 0";
        default -> "";
      };
    }
  }

  /** A finite number above a bound. */
  record Above(double bound) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      boolean fits =
          value.isNumber() && Double.isFinite(value.doubleValue()) && value.doubleValue() > bound;
      return fits
          ? value
          : refuse(walk, pointer, "must be a number > " + bound + ", this is " + Shown.of(value));
    }
  }

  /** A finite number between two bounds, both included. */
  record Between(double least, double most) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      boolean fits =
          value.isNumber()
              && Double.isFinite(value.doubleValue())
              && value.doubleValue() >= least
              && value.doubleValue() <= most;
      String bounds = most == Double.MAX_VALUE ? " >= " + least : " from " + least + " to " + most;
      return fits
          ? value
          : refuse(walk, pointer, "must be a number" + bounds + ", this is " + Shown.of(value));
    }
  }

  /** Yes or no. */
  record Flag() implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      return value.isBoolean()
          ? BooleanNode.valueOf(value.booleanValue())
          : refuse(walk, pointer, "must be true or false, this is " + Shown.of(value));
    }
  }

  /** A time span; canonical in whole seconds, rounded up, and at most {@link Seconds#MOST}. */
  record Span() implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      Long seconds = Seconds.of(value);
      if (seconds == null) {
        return refuse(
            walk,
            pointer,
            "must be a time such as 10m, 1.5h or 2d, or a number of seconds, above 0; this is "
                + Shown.of(value));
      }
      if (seconds > Seconds.MOST) {
        walk.notice(
            "%s is %s, and counts as %dd: that is 273 years."
                .formatted(walk.places().name(pointer), Shown.of(value), Seconds.MOST_DAYS));
      }
      return LongNode.valueOf(Math.min(seconds, Seconds.MOST));
    }
  }

  /** A directory; canonical is its absolute path. */
  record Directory(boolean mustExist) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      if (new Text().read(value, pointer, walk) == null) {
        return null;
      }
      OwnWorkspace own = walk.paths().own();
      Path inWorkspace = walk.paths().inWorkspace(value.textValue(), pointer);
      if (own != null && inWorkspace != null) {
        return own.read(inWorkspace, pointer, walk);
      }
      Path path = walk.paths().resolve(value.textValue(), pointer, walk);
      if (path == null) {
        return null;
      }
      if (mustExist && !Files.isDirectory(path)) {
        String wrong = Files.exists(path) ? " is not a directory" : " does not exist";
        return refuse(walk, pointer, "must be a directory: " + path + wrong);
      }
      if (mustExist && !Files.isExecutable(path)) {
        return refuse(
            walk,
            pointer,
            "must be a directory that the server's user can enter: " + path + " is closed to it");
      }
      return TextNode.valueOf(path.toString());
    }
  }

  /** A file that is there; canonical is its absolute path. */
  record File() implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      if (new Text().read(value, pointer, walk) == null) {
        return null;
      }
      if (!walk.paths().all()) {
        return refuse(
            walk,
            pointer,
            "names a file of the server, which only administrators may: leave it out");
      }
      Path path = walk.paths().resolve(value.textValue(), pointer, walk);
      if (path == null) {
        return null;
      }
      return Files.isRegularFile(path)
          ? TextNode.valueOf(path.toString())
          : refuse(walk, pointer, "must be a file: there is none at " + path);
    }
  }

  /** An amount of memory; canonical in whole megabytes of 1,024² bytes, rounded up. */
  record Size() implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      Long megabytes = Megabytes.of(value);
      return megabytes != null
          ? LongNode.valueOf(megabytes)
          : refuse(
              walk,
              pointer,
              "must be an amount of memory such as 2gb or 512mb, or a number of megabytes, above 0;"
                  + " this is "
                  + Shown.of(value));
    }
  }

  /** A list of GPU numbers: {@code [0, 2]}, {@code "0,2"} or {@code 2}; canonical is the list. */
  record GpuIndices() implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      ArrayNode canonical = JsonNodeFactory.instance.arrayNode();
      List<JsonNode> elements = elements(value);
      Set<Integer> indices = new HashSet<>();
      for (int i = 0; i < elements.size(); i++) {
        JsonNode index = elements.get(i);
        String at = value.isArray() ? Pointer.child(pointer, i) : pointer;
        Long whole = Numbers.whole(index);
        if (whole == null || whole < 0 || whole > Integer.MAX_VALUE) {
          refuse(
              walk,
              at,
              "must be GPU numbers from 0 such as [0, 2], '0,2' or 2; this has " + Shown.of(index));
        } else if (!indices.add(whole.intValue())) {
          refuse(walk, at, "names GPU " + index + " twice");
        } else {
          canonical.add(whole.intValue());
        }
      }
      return walk.faultyWithin(pointer) ? null : canonical;
    }

    private static List<JsonNode> elements(JsonNode value) {
      if (!value.isTextual()) {
        return value.isArray() ? value.valueStream().toList() : List.of(value);
      }
      List<JsonNode> elements = new ArrayList<>();
      for (String part : value.textValue().split(",", -1)) {
        String digits = part.strip();
        elements.add(
            digits.matches("[0-9]{1,6}")
                ? IntNode.valueOf(Integer.parseInt(digits))
                : TextNode.valueOf(part));
      }
      return elements;
    }
  }

  /** An object whose content is not checked here. */
  record AnyObject() implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      return value.isObject()
          ? value
          : refuse(walk, pointer, "must be an object, this is " + Shown.of(value));
    }
  }

  /** A value of any type, which is read in a step of its own. */
  record Anything() implements ValueType {
    @Override
    public JsonNode read(JsonNode value, String pointer, Walk walk) {
      return value;
    }
  }

  /** An object with keys of its own. */
  record Section(Schema schema) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      return value.isObject()
          ? schema.read(value, pointer, walk)
          : refuse(
              walk,
              pointer,
              "must be an object with any of " + schema.names() + "; this is " + Shown.of(value));
    }
  }

  /** A list whose elements are all of one type. */
  record ListOf(ValueType element) implements ValueType {
    @Override
    public @Nullable JsonNode read(JsonNode value, String pointer, Walk walk) {
      if (!value.isArray()) {
        return refuse(walk, pointer, "must be a list, this is " + Shown.of(value));
      }
      ArrayNode canonical = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < value.size(); i++) {
        JsonNode read = element.read(value.get(i), Pointer.child(pointer, i), walk);
        if (read != null) {
          canonical.add(read);
        }
      }
      return canonical;
    }
  }

  private static @Nullable JsonNode refuse(Walk walk, String pointer, String predicate) {
    walk.refuse(pointer, predicate);
    return null;
  }
}
