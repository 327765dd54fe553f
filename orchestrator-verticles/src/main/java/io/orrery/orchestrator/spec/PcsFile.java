package io.orrery.orchestrator.spec;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of search spaces in the format "pcs new" of ConfigSpace, which NNI's BOHB takes as its
 * argument {@code config_space}. Defaults have no effect, as with NNI. Conditions and forbidden
 * combinations are refused: NNI's form has nested choices and {@code constraints} for them.
 */
final class PcsFile {
  private static final String NAME = "([^\\s{}\\[\\]|#]+)";
  private static final String NUMBER = "\\s*([-+]?[0-9.]{1,40}(?:[eE][-+]?[0-9]{1,3})?)\\s*";
  private static final Pattern CHOICES =
      Pattern.compile(NAME + "\\s+(?:categorical|ordinal)\\s*\\{([^{}]*)}\\s*(?:\\[[^\\[\\]]*])?");
  private static final Pattern RANGE =
      Pattern.compile(
          NAME
              + "\\s+(integer|real)\\s*\\["
              + NUMBER
              + ","
              + NUMBER
              + "]\\s*(?:\\[[^\\[\\]]*])?\\s*(log)?");

  private static final int MOST_FAULTS = 20;

  /**
   * The outcome of reading a file.
   *
   * @param space in NNI's form; whole only when there are no faults
   * @param faults sentences, each with its line
   */
  record Reading(ObjectNode space, List<String> faults) {
    Reading {
      faults = List.copyOf(faults);
    }
  }

  private final ObjectNode space = JsonNodeFactory.instance.objectNode();
  private final List<String> faults = new ArrayList<>();

  private PcsFile() {}

  static Reading read(String text) {
    PcsFile file = new PcsFile();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      int comment = line.indexOf('#');
      String content = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!content.isEmpty()) {
        file.line(content, number);
      }
    }
    return new Reading(
        file.space, file.faults.subList(0, Math.min(MOST_FAULTS, file.faults.size())));
  }

  private void line(String line, int number) {
    Matcher choices = CHOICES.matcher(line);
    Matcher range = RANGE.matcher(line);
    if (choices.matches()) {
      parameter(choices.group(1), "choice", words(choices.group(2)), number);
    } else if (range.matches()) {
      range(range, number);
    } else if (line.startsWith("{")) {
      fault(number, "forbidden combinations are not read: write them as constraints");
    } else if (line.contains("|")) {
      fault(number, "conditions are not read: write them as nested choices of a searchSpace");
    } else {
      fault(
          number,
          "'"
              + (line.length() > 60 ? line.substring(0, 60) + "…" : line)
              + "' is no parameter such as 'x real [0, 1] [0.5] log' or 'y categorical {a, b} [a]'");
    }
  }

  private void range(Matcher line, int number) {
    boolean whole = line.group(2).equals("integer");
    boolean log = line.group(5) != null;
    try {
      BigDecimal low = new BigDecimal(line.group(3));
      BigDecimal high = new BigDecimal(line.group(4));
      ArrayNode bounds = JsonNodeFactory.instance.arrayNode();
      if (whole) {
        long least = low.longValueExact();
        long most = high.longValueExact();
        // randint has no upper bound of its own, and logarithms need a step.
        bounds.add(least).add(log ? most : Math.addExact(most, 1));
        if (log) {
          bounds.add(1);
        }
      } else {
        bounds.add(low.doubleValue()).add(high.doubleValue());
      }
      String type = whole ? log ? "qloguniform" : "randint" : log ? "loguniform" : "uniform";
      parameter(line.group(1), type, bounds, number);
    } catch (ArithmeticException | NumberFormatException e) {
      fault(
          number,
          "the bounds of '%s' must be %s".formatted(line.group(1), whole ? "integers" : "numbers"));
    }
  }

  private static ArrayNode words(String list) {
    ArrayNode words = JsonNodeFactory.instance.arrayNode();
    for (String word : list.split(",", -1)) {
      words.add(word.strip());
    }
    return words;
  }

  private void parameter(String name, String type, ArrayNode value, int number) {
    if (space.has(name)) {
      fault(number, "the parameter '" + name + "' is here twice");
      return;
    }
    space.putObject(name).put("_type", type).set("_value", value);
  }

  private void fault(int number, String sentence) {
    faults.add("line " + number + ": " + sentence);
  }
}
