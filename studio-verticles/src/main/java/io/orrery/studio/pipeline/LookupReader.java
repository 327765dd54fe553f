package io.orrery.studio.pipeline;

import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.text.Nearest;
import io.orrery.core.time.DurationText;
import io.orrery.studio.pipeline.TextTemplate.Fact;
import io.orrery.studio.pipeline.TextTemplate.Part;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts with lookups: <code>{{parameters.x}}</code>. There are no expressions besides {@code
 * date}; <code>{{{{</code> is a literal <code>{{</code>.
 */
final class LookupReader {
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final Pattern OUTPUT =
      Pattern.compile("tasks\\.([a-z][a-z0-9-]*)\\.outputs\\.([A-Za-z_][A-Za-z0-9_.-]*)");
  private static final Pattern DATE =
      Pattern.compile(
          "date\\(\\s*run\\.due\\s*(?:([+-])\\s*([0-9]+[a-z]+)\\s*)?,\\s*\"([^\"]{1,100})\"\\s*"
              + "(?:,\\s*\"([^\"]{1,60})\"\\s*)?\\)");
  private static final List<String> ROOTS =
      List.of(
          "parameters.",
          "environment.",
          "tasks.",
          "each.",
          "run.id",
          "run.due",
          "creator",
          "runner",
          "pipeline.name",
          "date(");

  private final LookupScope scope;
  private final Consumer<String> wrong;

  private LookupReader(LookupScope scope, Consumer<String> wrong) {
    this.scope = scope;
    this.wrong = wrong;
  }

  /**
   * Reads a text.
   *
   * @param wrong told of each fault, in a sentence
   */
  static TextTemplate read(String text, LookupScope scope, Consumer<String> wrong) {
    return new LookupReader(scope, wrong).read(text);
  }

  private TextTemplate read(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf(OPEN, at);
      if (open < 0) {
        break;
      }
      plain.append(text, at, open);
      if (text.startsWith(OPEN + OPEN, open)) {
        plain.append(OPEN);
        at = open + 2 * OPEN.length();
        continue;
      }
      int close = text.indexOf(CLOSE, open);
      if (close < 0) {
        wrong.accept("a lookup begins with {{ and ends with }}; a literal {{ is written {{{{");
        return TextTemplate.of(text);
      }
      Part part = lookup(text.substring(open + OPEN.length(), close).strip());
      if (part != null) {
        flush(plain, parts);
        parts.add(part);
      }
      at = close + CLOSE.length();
    }
    plain.append(text, at, text.length());
    flush(plain, parts);
    return new TextTemplate(parts);
  }

  private static void flush(StringBuilder plain, List<Part> parts) {
    if (!plain.isEmpty()) {
      parts.add(new TextTemplate.Plain(plain.toString()));
      plain.setLength(0);
    }
  }

  private @Nullable Part lookup(String expression) {
    for (Fact.Name name : Fact.Name.values()) {
      if (name.word().equals(expression)) {
        return new Fact(name);
      }
    }
    if (expression.startsWith("parameters.")) {
      String name = expression.substring("parameters.".length());
      return known("parameter", name, scope.parameters()) ? new TextTemplate.Parameter(name) : null;
    }
    if (expression.startsWith("environment.")) {
      String name = expression.substring("environment.".length());
      return known("variable of the pipeline", name, scope.variables())
          ? new TextTemplate.Variable(name)
          : null;
    }
    if (expression.startsWith("each.")) {
      String name = expression.substring("each.".length());
      return known("value of each", name, scope.each()) ? new TextTemplate.Each(name) : null;
    }
    if (expression.startsWith("tasks.")) {
      return output(expression);
    }
    if (expression.startsWith("date(")) {
      return date(expression);
    }
    wrong.accept(
        "{{%s}} looks up nothing%s; there are %s"
            .formatted(cut(expression), Nearest.hint(expression, ROOTS), String.join(" ", ROOTS)));
    return null;
  }

  private boolean known(String what, String name, Collection<String> names) {
    if (names.contains(name)) {
      return true;
    }
    wrong.accept(
        "there is no %s '%s' here%s; %s"
            .formatted(
                what,
                cut(name),
                Nearest.hint(name, names),
                names.isEmpty() ? "there are none" : "there are " + sorted(names)));
    return false;
  }

  private static String sorted(Collection<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }

  private @Nullable Part output(String expression) {
    Matcher parts = OUTPUT.matcher(expression);
    if (!parts.matches()) {
      wrong.accept("an output is written tasks.NAME.outputs.NAME, not " + cut(expression));
      return null;
    }
    String task = parts.group(1);
    String name = parts.group(2);
    if (scope.outputs().isEmpty()) {
      wrong.accept("outputs of tasks are not known here: " + cut(expression));
      return null;
    }
    if (!known("task", task, scope.outputs().keySet())) {
      return null;
    }
    List<OutputSpec> outputs = scope.outputs().getOrDefault(task, List.of());
    return known("output of " + task, name, outputs.stream().map(OutputSpec::name).toList())
        ? new TextTemplate.TaskOutput(new OutputRef(task, name))
        : null;
  }

  private @Nullable Part date(String expression) {
    Matcher parts = DATE.matcher(expression);
    if (!parts.matches()) {
      wrong.accept("a date is written date(run.due - 1d, \"yyyy-MM-dd\"), not " + cut(expression));
      return null;
    }
    Duration offset = Duration.ZERO;
    if (parts.group(2) != null) {
      offset = DurationText.parse(parts.group(2)).orElse(null);
      if (offset == null) {
        wrong.accept("'%s' is no duration such as 1d or 12h".formatted(parts.group(2)));
        return null;
      }
    }
    try {
      ZoneId zone = parts.group(4) == null ? ZoneOffset.UTC : ZoneId.of(parts.group(4));
      String pattern = parts.group(3);
      return new TextTemplate.Date(
          "-".equals(parts.group(1)) ? offset.negated() : offset,
          pattern,
          DateTimeFormatter.ofPattern(pattern, Locale.ROOT),
          zone);
    } catch (IllegalArgumentException | DateTimeException e) {
      wrong.accept(
          "%s: a pattern is such as yyyy-MM-dd HH:mm, a zone such as Europe/Berlin"
              .formatted(cut(expression)));
      return null;
    }
  }

  private static String cut(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }
}
