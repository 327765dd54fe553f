package io.orrery.core.constraint;

import io.orrery.core.constraint.Expression.Arithmetic;
import io.orrery.core.constraint.Expression.Call;
import io.orrery.core.constraint.Expression.Comparison;
import io.orrery.core.constraint.Expression.Function;
import io.orrery.core.constraint.Expression.Joined;
import io.orrery.core.constraint.Expression.Name;
import io.orrery.core.constraint.Expression.Negative;
import io.orrery.core.constraint.Expression.Not;
import io.orrery.core.constraint.Expression.Operator;
import io.orrery.core.constraint.Expression.Relation;
import io.orrery.core.constraint.Expression.Value;
import io.orrery.core.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads an expression, by recursive descent. From the weakest: or, and, not, comparisons (which may
 * be chained), plus and minus, times, division and remainder, sign, power; as in Python.
 */
final class Parser {
  /** Deepest nesting: parentheses, signs and nots. */
  private static final int DEEPEST = 50;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<number>(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "|(?<name>[\\p{L}_][\\p{L}\\p{N}_]*(?:\\.[\\p{L}_][\\p{L}\\p{N}_]*)*)"
              + "|`(?<quoted>[^`]+)`"
              + "|(?<text>'[^']*'|\"[^\"]*\")"
              + "|(?<sign><=|>=|==|!=|\\*\\*|&&|\\|\\||[-+*/%()<>=!,]))");

  private static final List<String> WORDS = List.of("and", "or", "not", "true", "false");

  /** The first syntax error. */
  static final class Stumble extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Fault fault;

    Stumble(int column, String message) {
      super(message, null, false, false);
      this.fault = new Fault(column, message);
    }

    Fault fault() {
      return fault;
    }
  }

  private final String text;
  private final Matcher matcher;
  private int depth;

  /** The token at hand: its sort, its text, where it begins and where it ends. */
  private String sort = "";

  private String token = "";
  private int start;
  private int end;

  private Parser(String text) {
    this.text = text;
    this.matcher = TOKEN.matcher(text);
    advance();
  }

  /** Throws a {@link Stumble}. */
  static Expression read(String text) {
    Parser parser = new Parser(text);
    Expression whole = parser.or();
    if (!parser.sort.equals("end")) {
      throw parser.stumble("expected an operator, found " + parser.shown());
    }
    return whole;
  }

  private void advance() {
    int from = end;
    matcher.region(from, text.length());
    if (text.substring(from).isBlank()) {
      sort = "end";
      token = "";
      start = text.length();
      return;
    }
    if (!matcher.lookingAt()) {
      start = from + (text.substring(from).length() - text.substring(from).stripLeading().length());
      char found = text.charAt(start);
      throw stumble(
          found == '\'' || found == '"' || found == '`'
              ? "what begins with " + found + " has no end"
              : "'" + found + "' means nothing here");
    }
    sort =
        Stream.of("number", "name", "quoted", "text", "sign")
            .filter(group -> matcher.group(group) != null)
            .findFirst()
            .orElseThrow();
    token = matcher.group(sort);
    start = matcher.start(sort) - (sort.equals("quoted") ? 1 : 0);
    end = matcher.end();
    if (sort.equals("name") && WORDS.contains(token)) {
      sort = "word";
    }
  }

  private Stumble stumble(String message) {
    return new Stumble(start + 1, message);
  }

  private String shown() {
    return sort.equals("end") ? "the end" : "'" + token + "'";
  }

  private boolean at(String... tokens) {
    boolean operator = sort.equals("sign") || sort.equals("word");
    return operator && List.of(tokens).contains(token);
  }

  private boolean take(String... tokens) {
    boolean taken = at(tokens);
    if (taken) {
      advance();
    }
    return taken;
  }

  private Expression or() {
    return joined(false, "or", "||");
  }

  private Expression joined(boolean all, String word, String sign) {
    int column = start + 1;
    List<Expression> parts = new ArrayList<>();
    do {
      parts.add(all ? not() : joined(true, "and", "&&"));
    } while (take(word, sign));
    return parts.size() == 1 ? parts.getFirst() : new Joined(column, all, List.copyOf(parts));
  }

  private Expression not() {
    int column = start + 1;
    return take("not", "!") ? deeper(() -> new Not(column, not())) : comparison();
  }

  private Expression comparison() {
    int column = start + 1;
    Expression left = sum();
    List<Expression> links = new ArrayList<>();
    for (Relation relation = relation(); relation != null; relation = relation()) {
      Expression right = sum();
      links.add(new Comparison(column, relation, left, right));
      left = right;
    }
    return switch (links.size()) {
      case 0 -> left;
      case 1 -> links.getFirst();
      default -> new Joined(column, true, List.copyOf(links));
    };
  }

  private @Nullable Relation relation() {
    for (Relation relation : Relation.values()) {
      if (at(relation.sign) || (relation == Relation.EQUAL && at("="))) {
        advance();
        return relation;
      }
    }
    return null;
  }

  private Expression sum() {
    Expression sum = product();
    while (at("+", "-")) {
      int column = start + 1;
      Operator operator = take("+") ? Operator.PLUS : minus();
      sum = new Arithmetic(column, operator, sum, product());
    }
    return sum;
  }

  private Operator minus() {
    advance();
    return Operator.MINUS;
  }

  private Expression product() {
    Expression product = signed();
    while (at("*", "/", "%")) {
      int column = start + 1;
      Operator operator = at("*") ? Operator.TIMES : at("/") ? Operator.DIVIDED : Operator.MODULO;
      advance();
      product = new Arithmetic(column, operator, product, signed());
    }
    return product;
  }

  private Expression signed() {
    int column = start + 1;
    if (take("-")) {
      return deeper(() -> new Negative(column, signed()));
    }
    return take("+") ? deeper(this::signed) : power();
  }

  private Expression power() {
    Expression base = atom();
    int column = start + 1;
    return take("**") ? new Arithmetic(column, Operator.POWER, base, deeper(this::signed)) : base;
  }

  private Expression atom() {
    int column = start + 1;
    String found = token;
    return switch (sort) {
      case "number" -> taken(new Value(column, Double.parseDouble(found)));
      case "text" -> taken(new Value(column, found.substring(1, found.length() - 1)));
      case "quoted" -> taken(new Name(column, found));
      case "name" -> {
        advance();
        yield at("(") ? call(column, found) : new Name(column, found);
      }
      default -> {
        if (at("true", "false")) {
          yield taken(new Value(column, found.equals("true")));
        }
        if (take("(")) {
          Expression inside = deeper(this::or);
          close();
          yield inside;
        }
        throw stumble(
            "expected a number, a parameter, a function or a parenthesis, found " + shown());
      }
    };
  }

  private Expression taken(Expression read) {
    advance();
    return read;
  }

  private Expression call(int column, String name) {
    Function function = Function.named(name);
    if (function == null) {
      List<String> names =
          Stream.of(Function.values()).map(f -> f.name().toLowerCase(Locale.ROOT)).toList();
      throw new Stumble(
          column,
          "there is no function '"
              + name
              + "'"
              + Nearest.hint(name, names)
              + "; there is "
              + String.join(", ", names));
    }
    advance();
    List<Expression> arguments = new ArrayList<>();
    do {
      arguments.add(deeper(this::sum));
    } while (take(","));
    close();
    if (arguments.size() < function.fewest || arguments.size() > function.most) {
      throw new Stumble(column, name + " takes one argument, this has " + arguments.size());
    }
    return new Call(column, function, List.copyOf(arguments));
  }

  private void close() {
    if (!take(")")) {
      throw stumble("expected ')', found " + shown());
    }
  }

  private Expression deeper(Supplier<Expression> part) {
    if (++depth > DEEPEST) {
      throw stumble("nested deeper than " + DEEPEST + " levels");
    }
    try {
      return part.get();
    } finally {
      depth--;
    }
  }
}
