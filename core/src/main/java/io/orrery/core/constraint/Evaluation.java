package io.orrery.core.constraint;

import io.orrery.core.constraint.Expression.Arithmetic;
import io.orrery.core.constraint.Expression.Call;
import io.orrery.core.constraint.Expression.Comparison;
import io.orrery.core.constraint.Expression.Joined;
import io.orrery.core.constraint.Expression.Name;
import io.orrery.core.constraint.Expression.Negative;
import io.orrery.core.constraint.Expression.Not;
import io.orrery.core.constraint.Expression.Relation;
import io.orrery.core.constraint.Expression.Value;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The value of an expression for one set of parameters. Truth has three values (Kleene): what
 * speaks of a parameter that this trial does not have is neither true nor false.
 */
record Evaluation(Map<String, ? extends @Nullable Object> parameters) {
  @Nullable Object of(Expression expression) {
    return switch (expression) {
      case Value value -> value.value();
      case Name name -> find(parameters, name.path());
      case Negative negative -> of(negative.of()) instanceof Double x ? (Object) (-x) : null;
      case Arithmetic(var _, var operator, var left, var right) ->
          of(left) instanceof Double a && of(right) instanceof Double b
              ? (Object) operator.apply(a, b)
              : null;
      case Call call -> call(call);
      case Comparison(var _, var relation, var left, var right) ->
          compare(relation, of(left), of(right));
      case Not not -> of(not.of()) instanceof Boolean truth ? (Object) !truth : null;
      case Joined joined -> join(joined);
    };
  }

  private @Nullable Object call(Call call) {
    double[] arguments = new double[call.arguments().size()];
    for (int i = 0; i < arguments.length; i++) {
      if (!(of(call.arguments().get(i)) instanceof Double x)) {
        return null;
      }
      arguments[i] = x;
    }
    return call.function().apply(arguments);
  }

  private static @Nullable Boolean compare(
      Relation relation, @Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return null;
    }
    if (left instanceof Double a && right instanceof Double b) {
      return relation.holds(a, b);
    }
    if (relation.ordered()) {
      return null;
    }
    return left.equals(right) == (relation == Relation.EQUAL);
  }

  private @Nullable Object join(Joined joined) {
    boolean unclear = false;
    for (Expression part : joined.parts()) {
      if (!(of(part) instanceof Boolean truth)) {
        unclear = true;
      } else if (truth != joined.all()) {
        return truth;
      }
    }
    return unclear ? null : (Object) joined.all();
  }

  private static @Nullable Object find(Map<?, ?> values, String path) {
    if (values.containsKey(path)) {
      return plain(values.get(path));
    }
    int dot = path.indexOf('.');
    return dot > 0 && values.get(path.substring(0, dot)) instanceof Map<?, ?> branch
        ? find(branch, path.substring(dot + 1))
        : null;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case Number number -> number.doubleValue();
      case String text -> text;
      case Boolean truth -> truth;
      case Map<?, ?> branch when branch.get("_name") instanceof String name -> name;
      case null, default -> null;
    };
  }
}
