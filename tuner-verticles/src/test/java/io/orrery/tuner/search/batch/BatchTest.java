package io.orrery.tuner.search.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTest extends TunerContract {
  private static final SearchSpace THREE =
      Spaces.one("choice", "[{\"a\": 1, \"b\": \"x\"}, {\"a\": 2}, {\"c\": [1]}]");

  @Override
  protected TunerFactory factory() {
    return Batch.FACTORY;
  }

  @Override
  protected List<SearchSpace> spaces() {
    return List.of(THREE, list(200));
  }

  @Override
  protected List<SearchSpace> finiteSpaces() {
    return spaces();
  }

  @Override
  protected List<SearchSpace> constrainedSpaces() {
    return List.of(Spaces.under(THREE, "a < 2"), Spaces.under(list(200), "n % 3 == 0"));
  }

  @Override
  protected int allowed(SearchSpace space) {
    return (int)
        ((Choice) only(space))
            .options().stream()
                .filter(o -> space.allows(Spaces.read(Json.write(((Literal) o).value())).values()))
                .count();
  }

  @Override
  protected List<SearchSpace> wideSpaces() {
    return List.of(list(12_000));
  }

  @Override
  protected int points(SearchSpace space) {
    return ((Choice) only(space)).options().size();
  }

  @Override
  protected void assertInside(SearchSpace space, Parameters parameters) {
    assertThat(((Choice) only(space)).options()).contains(new Literal(parameters.values()));
  }

  @Override
  protected Parameters earlier(SearchSpace space, int number) {
    return Spaces.read("{\"n\": " + number + "}");
  }

  private static Dimension only(SearchSpace space) {
    return space.dimensions().values().iterator().next();
  }

  private static SearchSpace list(int length) {
    return new SearchSpace(
        Map.of(
            "list",
            new Choice(
                IntStream.range(0, length)
                    .<Dimension.Option>mapToObj(n -> new Literal(Map.of("n", n)))
                    .toList())));
  }

  @Test
  void theListIsWorkedOffInOrder() {
    Suggestions all = open(THREE, 0).suggest(9, 0);
    assertThat(all.items())
        .containsExactly(
            new Suggestion("0", Spaces.read("{\"a\": 1, \"b\": \"x\"}")),
            new Suggestion("1", Spaces.read("{\"a\": 2}")),
            new Suggestion("2", Spaces.read("{\"c\": [1]}")));
    assertThat(all.exhausted()).isTrue();
  }

  @Test
  void whatWasTriedIsLeftOutAndRepetitionsCount() {
    SearchSpace space = Spaces.one("choice", "[{\"a\": 1}, {\"a\": 2}, {\"a\": 1}]");
    Tuner tuner = open(space, 0);
    tuner.remember(new Suggestion("0", Spaces.read("{\"a\": 1}")));
    tuner.learn(new Result("0", Spaces.read("{\"a\": 1}"), 0.5));
    tuner.learn(new Result(null, Spaces.read("{\"a\": 2}"), 0.5));
    assertThat(tuner.suggest(9, 1).items())
        .containsExactly(new Suggestion("1", Spaces.read("{\"a\": 1}")));
  }

  @Test
  void aSpaceThatIsNoListIsRefusedWhereItIsWrong() {
    assertThat(Batch.FACTORY.check(Spaces.FINITE))
        .extracting(Finding::pointer)
        .containsExactly("/searchSpace");
    assertThat(Batch.FACTORY.check(Spaces.one("choice", "[{\"_name\": \"a\"}]")))
        .extracting(Finding::pointer)
        .containsExactly("/searchSpace/p/_value/0");
  }

  @Test
  void whatIsNoObjectIsGivenAsItIs() {
    // D8
    SearchSpace space = Spaces.one("choice", "[{\"a\": 1}, 2, \"three\", [4]]");

    assertThat(Batch.FACTORY.check(space)).isEmpty();
    assertThat(open(space, 0).suggest(9, 0).items())
        .extracting(suggestion -> suggestion.parameters().value())
        .containsExactly(Map.of("a", 1), 2, "three", List.of(4));
  }
}
