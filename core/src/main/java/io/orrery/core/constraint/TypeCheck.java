package io.orrery.core.constraint;

import io.orrery.core.constraint.Expression.Arithmetic;
import io.orrery.core.constraint.Expression.Call;
import io.orrery.core.constraint.Expression.Comparison;
import io.orrery.core.constraint.Expression.Joined;
import io.orrery.core.constraint.Expression.Name;
import io.orrery.core.constraint.Expression.Negative;
import io.orrery.core.constraint.Expression.Not;
import io.orrery.core.constraint.Expression.Value;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks an expression against the names and kinds of parameters. */
final class TypeCheck {
  private final Map<String, Kind> parameters;
  private final List<Fault> faults = new ArrayList<>();

  TypeCheck(Map<String, Kind> parameters) {
    this.parameters = parameters;
  }

  /**
   * @param who stands for the whole in a fault, such as "a constraint is"
   */
  List<Fault> check(Expression whole, Kind wanted, String who) {
    require(whole, wanted, who);
    return faults;
  }

  private void require(Expression part, Kind wanted, String who) {
    Kind kind = kind(part);
    if (!kind.mayBe(wanted)) {
      faults.add(
          new Fault(part.column(), who + " " + wanted.words() + ", this is " + kind.words()));
    }
  }

  private Kind kind(Expression expression) {
    return switch (expression) {
      case Value(var _, var value) ->
          switch (value) {
            case Double number -> Kind.NUMBER;
            case Boolean truth -> Kind.TRUTH;
            default -> Kind.TEXT;
          };
      case Name name -> parameter(name);
      case Negative negative -> {
        require(negative.of(), Kind.NUMBER, "what is negated is");
        yield Kind.NUMBER;
      }
      case Arithmetic(var _, var operator, var left, var right) -> {
        require(left, Kind.NUMBER, "what stands before " + operator.sign + " is");
        require(right, Kind.NUMBER, "what follows " + operator.sign + " is");
        yield Kind.NUMBER;
      }
      case Call call -> {
        call.arguments().forEach(argument -> require(argument, Kind.NUMBER, "an argument is"));
        yield Kind.NUMBER;
      }
      case Comparison comparison -> {
        compare(comparison);
        yield Kind.TRUTH;
      }
      case Not not -> {
        require(not.of(), Kind.TRUTH, "what follows not is");
        yield Kind.TRUTH;
      }
      case Joined(var _, var all, var parts) -> {
        parts.forEach(part -> require(part, Kind.TRUTH, (all ? "and" : "or") + " joins what is"));
        yield Kind.TRUTH;
      }
    };
  }

  private void compare(Comparison comparison) {
    String sign = comparison.relation().sign;
    if (comparison.relation().ordered()) {
      require(comparison.left(), Kind.NUMBER, "what stands before " + sign + " is");
      require(comparison.right(), Kind.NUMBER, "what follows " + sign + " is");
      return;
    }
    Kind left = kind(comparison.left());
    Kind right = kind(comparison.right());
    if (!left.mayBe(right)) {
      faults.add(
          new Fault(
              comparison.right().column(), left.words() + " is never equal to " + right.words()));
    }
  }

  private Kind parameter(Name name) {
    Kind kind = parameters.get(name.path());
    if (kind == null) {
      faults.add(
          new Fault(
              name.column(),
              "there is no parameter '"
                  + name.path()
                  + "'"
                  + Nearest.hint(name.path(), parameters.keySet())
                  + "; there is "
                  + String.join(", ", parameters.keySet())));
    }
    return kind == null ? Kind.ANY : kind;
  }
}
