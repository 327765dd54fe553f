package io.orrery.core.space;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.number.Numbers;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.Dimension.Numeric;
import io.orrery.core.space.ParameterShape.Verdict;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A validation of parameters that a user chose: see {@link ParameterShape#judge}. */
final class ParameterValidation {
  private final List<Finding> findings = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();

  private ParameterValidation() {}

  static Verdict of(Map<String, @Nullable Object> values, ParameterShape shape) {
    ParameterValidation judgement = new ParameterValidation();
    String endless = Numbers.firstNotFinite(values, "");
    if (endless != null) {
      Finding finding = new Finding(endless, "must be a finite number, which this is not");
      return new Verdict(List.of(finding), List.of());
    }
    Map<String, @Nullable Object> own = new LinkedHashMap<>(values);
    own.keySet().removeAll(shape.added());
    if (!shape.space().isOpaque()) {
      judgement.object(own, "", shape.space(), shape.optional());
    }
    for (String name : new TreeSet<>(shape.added())) {
      if (!values.containsKey(name)) {
        judgement.findings.add(
            new Finding(
                Pointer.child("", name), "is missing: the tuner of this experiment sets it"));
      }
    }
    return new Verdict(judgement.findings, judgement.notices);
  }

  private void object(
      Map<?, ?> values, String pointer, SearchSpace required, SearchSpace possible) {
    Set<String> known = new TreeSet<>(required.dimensions().keySet());
    known.addAll(possible.dimensions().keySet());
    Set<String> meant = new TreeSet<>();
    values.forEach((key, value) -> {
      String name = String.valueOf(key);
      String at = Pointer.child(pointer, name);
      Dimension dimension =
          required.dimensions().getOrDefault(name, possible.dimensions().get(name));
      if (dimension != null) {
        value(dimension, value, at);
      } else {
        Nearest.to(name, known).ifPresent(meant::add);
        findings.add(new Finding(at, unknown(name, known)));
      }
    });
    for (String name : required.dimensions().keySet()) {
      if (!values.containsKey(name) && !meant.contains(name)) {
        findings.add(
            new Finding(
                Pointer.child(pointer, name), "is missing: the search space has '" + name + "'"));
      }
    }
  }

  private static String unknown(String name, Set<String> known) {
    return "the search space has no parameter '"
        + name
        + "'"
        + Nearest.hint(name, known)
        + (known.isEmpty() ? "" : "; it has " + String.join(", ", known));
  }

  private void value(Dimension dimension, @Nullable Object value, String pointer) {
    switch (dimension) {
      case Choice choice when choice.nested() -> branch(choice, value, pointer);
      case Choice choice -> option(choice, value, pointer);
      case Numeric numeric -> number(numeric, value, pointer);
    }
  }

  private void branch(Choice choice, @Nullable Object value, String pointer) {
    if (!(value instanceof Map<?, ?> map) || !(map.get("_name") instanceof String name)) {
      findings.add(
          new Finding(
              pointer,
              "must be a branch such as {\"_name\": \""
                  + branches(choice).map(Branch::name).findFirst().orElse("…")
                  + "\", …}, this is "
                  + shown(value)));
      return;
    }
    Optional<Branch> chosen = branches(choice).filter(b -> b.name().equals(name)).findFirst();
    if (chosen.isEmpty()) {
      List<String> names = branches(choice).map(Branch::name).toList();
      findings.add(
          new Finding(
              pointer + "/_name",
              "there is no branch '"
                  + name
                  + "'"
                  + Nearest.hint(name, names)
                  + "; there is "
                  + String.join(", ", names)));
      return;
    }
    Map<Object, @Nullable Object> inside = new LinkedHashMap<>(map);
    inside.remove("_name");
    object(inside, pointer, chosen.get().space(), SearchSpace.EMPTY);
  }

  private static Stream<Branch> branches(Choice choice) {
    return choice.options().stream().filter(Branch.class::isInstance).map(Branch.class::cast);
  }

  private void option(Choice choice, @Nullable Object value, String pointer) {
    List<@Nullable Object> options = new ArrayList<>();
    choice.options().forEach(o -> options.add(o instanceof Literal(var l) ? l : null));
    if (options.stream().anyMatch(option -> same(option, value))) {
      return;
    }
    String choices =
        options.stream()
            .map(ParameterValidation::shown)
            .limit(10)
            .collect(Collectors.joining(", "));
    if (options.stream().noneMatch(option -> kind(option).equals(kind(value)))) {
      findings.add(new Finding(pointer, "must be one of " + choices + ", this is " + shown(value)));
    } else {
      notices.add(
          "%s is %s, which is none of the search space's choices: %s."
              .formatted(flat(pointer), shown(value), choices));
    }
  }

  private void number(Numeric dimension, @Nullable Object value, String pointer) {
    if (!(value instanceof Number number)) {
      findings.add(new Finding(pointer, "must be a number, this is " + shown(value)));
      return;
    }
    double x = number.doubleValue();
    switch (dimension) {
      case Dimension.RandInt(long lower, long upper) -> {
        if (x != Math.rint(x)) {
          findings.add(new Finding(pointer, "must be a whole number, this is " + shown(value)));
        } else {
          within(x, (double) lower, (double) (upper - 1), pointer, value);
        }
      }
      case Dimension.Uniform(double low, double high) -> within(x, low, high, pointer, value);
      case Dimension.QUniform(double low, double high, double q) ->
          within(x, low, high, pointer, value);
      case Dimension.LogUniform(double low, double high) -> within(x, low, high, pointer, value);
      case Dimension.QLogUniform(double low, double high, double q) ->
          within(x, low, high, pointer, value);
      case Dimension.LogNormal d -> within(x, 0, Double.MAX_VALUE, pointer, value);
      case Dimension.QLogNormal d -> within(x, 0, Double.MAX_VALUE, pointer, value);
      case Dimension.Normal d -> {}
      case Dimension.QNormal d -> {}
    }
  }

  private void within(double x, double low, double high, String pointer, @Nullable Object value) {
    if (x < low || x > high) {
      String range =
          high == Double.MAX_VALUE
              ? "from " + shown(low) + " on"
              : "from " + shown(low) + " to " + shown(high);
      notices.add(
          "%s is %s, outside the search space: it has values %s."
              .formatted(flat(pointer), shown(value), range));
    }
  }

  /** {@code opt.rate} for its pointer, as a command would name it. */
  private static String flat(String pointer) {
    return pointer.substring(1).replace('/', '.').replace("~1", "/").replace("~0", "~");
  }

  private static boolean same(@Nullable Object one, @Nullable Object other) {
    return Json.MAPPER
        .<JsonNode>valueToTree(one)
        .equals(ParameterValidation::compare, Json.MAPPER.<JsonNode>valueToTree(other));
  }

  /** 0 for the same value; a whole number may be written {@code 2} or {@code 2.0}. */
  private static int compare(JsonNode one, JsonNode other) {
    return one.isNumber() && other.isNumber()
        ? Numbers.same(one.numberValue(), other.numberValue()) ? 0 : 1
        : one.equals(other) ? 0 : 1;
  }

  private static String kind(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Number n -> "number";
      case Boolean b -> "boolean";
      case String s -> "text";
      case List<?> l -> "list";
      default -> "object";
    };
  }

  private static String shown(@Nullable Object value) {
    String text =
        switch (value) {
          case null -> "null";
          case Double d when d == Math.rint(d) && Math.abs(d) < 1e15 ->
              Long.toString(d.longValue());
          default -> Json.write(value);
        };
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
