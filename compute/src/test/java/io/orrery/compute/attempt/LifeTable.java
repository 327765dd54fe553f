package io.orrery.compute.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A maker of the rows of a table that says what follows from a state of an attempt and from what is
 * known of it.
 *
 * @param <S> a state
 * @param <F> what is known
 * @param <A> an action that follows
 * @param <N> a conclusion: a state and actions
 */
@SuppressWarnings("varargs") // of actions, which are copied
public final class LifeTable<S, F, A, N> {
  private final BiFunction<S, F, N> conclude;
  private final BiFunction<S, List<A>, N> conclusion;

  /**
   * @param conclude the question of a row that names none
   * @param conclusion makes a conclusion of a state and its actions
   */
  public LifeTable(BiFunction<S, F, N> conclude, BiFunction<S, List<A>, N> conclusion) {
    this.conclude = conclude;
    this.conclusion = conclusion;
  }

  /**
   * A row of the table.
   *
   * @param edge the label in the picture of a change that is drawn; null for one that is not
   * @param question what the life of an attempt is asked
   * @param next the expected conclusion, of {@code to} and {@code actions}
   */
  public record Row<S, F, A, N>(
      String name,
      @Nullable String edge,
      BiFunction<S, F, N> question,
      S from,
      F facts,
      S to,
      List<A> actions,
      N next) {
    /** Checks that what follows is what the row says. */
    public void check() {
      assertThat(question.apply(from, facts)).isEqualTo(next);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A row that is not drawn. */
  @SafeVarargs
  public final Row<S, F, A, N> row(String name, S from, F facts, S to, A... actions) {
    return row(name, conclude, from, facts, to, actions);
  }

  /** A row that is not drawn, with a question of its own. */
  @SafeVarargs
  public final Row<S, F, A, N> row(
      String name, BiFunction<S, F, N> question, S from, F facts, S to, A... actions) {
    return made(name, null, question, from, facts, to, List.of(actions));
  }

  /** A row that is drawn as a change. */
  @SafeVarargs
  public final Row<S, F, A, N> edge(String name, String edge, S from, F facts, S to, A... actions) {
    return edge(name, edge, conclude, from, facts, to, actions);
  }

  /** A row that is drawn as a change, with a question of its own. */
  @SafeVarargs
  public final Row<S, F, A, N> edge(
      String name, String edge, BiFunction<S, F, N> question, S from, F facts, S to, A... actions) {
    return made(name, edge, question, from, facts, to, List.of(actions));
  }

  private Row<S, F, A, N> made(
      String name,
      @Nullable String edge,
      BiFunction<S, F, N> question,
      S from,
      F facts,
      S to,
      List<A> actions) {
    return new Row<>(name, edge, question, from, facts, to, actions, conclusion.apply(to, actions));
  }

  /**
   * The picture of the changes that are drawn, as it is in the documentation.
   *
   * @param first the state in which all begins
   * @param drawn the part of a state that is drawn, by the name of its class
   * @param last whether an action ends the attempt
   */
  public static <S, F, A, N> String picture(
      Stream<Row<S, F, A, N>> rows, S first, Function<S, Object> drawn, Predicate<A> last) {
    LifeDiagram diagram = new LifeDiagram(drawn.apply(first));
    rows.forEach(row -> {
      String edge = row.edge();
      if (edge != null) {
        boolean ends = row.actions().stream().anyMatch(last);
        diagram.add(drawn.apply(row.from()), edge, ends ? null : drawn.apply(row.to()));
      }
    });
    return diagram.text();
  }
}
