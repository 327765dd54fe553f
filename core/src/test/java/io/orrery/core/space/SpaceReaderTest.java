package io.orrery.core.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.constraint.Constraint;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.Dimension.Branch;
import io.orrery.core.space.Dimension.Choice;
import io.orrery.core.space.Dimension.Literal;
import io.orrery.core.space.Dimension.LogNormal;
import io.orrery.core.space.Dimension.LogUniform;
import io.orrery.core.space.Dimension.Normal;
import io.orrery.core.space.Dimension.QLogNormal;
import io.orrery.core.space.Dimension.QLogUniform;
import io.orrery.core.space.Dimension.QNormal;
import io.orrery.core.space.Dimension.QUniform;
import io.orrery.core.space.Dimension.RandInt;
import io.orrery.core.space.Dimension.Uniform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpaceReaderTest {
  private static SpaceReader.Reading read(String json) {
    return SpaceReader.read(Json.parse(json), "/searchSpace");
  }

  private static SearchSpace space(String json) {
    SpaceReader.Reading reading = read(json);
    assertThat(reading.findings()).isEmpty();
    return reading.space();
  }

  private static Dimension only(String type, String value) {
    return space("{\"x\": {\"_type\": \"" + type + "\", \"_value\": " + value + "}}")
        .dimensions()
        .values()
        .iterator()
        .next();
  }

  @Test
  void allTenTypesAreRead() {
    assertThat(only("choice", "[1, \"a\", null, [2], {\"b\": 3}]"))
        .isEqualTo(
            new Choice(
                List.of(
                    new Literal(1),
                    new Literal("a"),
                    new Literal(null),
                    new Literal(List.of(2)),
                    new Literal(Map.of("b", 3)))));
    assertThat(only("randint", "[1, 5]")).isEqualTo(new RandInt(1, 5));
    assertThat(only("randint", "[0.5, 4.5]")).isEqualTo(new RandInt(1, 5));
    assertThat(only("uniform", "[0, 1]")).isEqualTo(new Uniform(0, 1));
    assertThat(only("quniform", "[2, 10, 5]")).isEqualTo(new QUniform(2, 10, 5));
    assertThat(only("loguniform", "[1e-5, 0.1]")).isEqualTo(new LogUniform(1e-5, 0.1));
    assertThat(only("qloguniform", "[1, 100, 5]")).isEqualTo(new QLogUniform(1, 100, 5));
    assertThat(only("normal", "[0, 1]")).isEqualTo(new Normal(0, 1));
    assertThat(only("qnormal", "[0, 1, 0.5]")).isEqualTo(new QNormal(0, 1, 0.5));
    assertThat(only("lognormal", "[0, 1]")).isEqualTo(new LogNormal(0, 1));
    assertThat(only("qlognormal", "[0, 1, 0.5]")).isEqualTo(new QLogNormal(0, 1, 0.5));
  }

  @Test
  void theOrderOfTheDocumentIsKept() {
    assertThat(
            space(
                    """
                    {"z": {"_type": "uniform", "_value": [0, 1]},
                     "a": {"_type": "uniform", "_value": [0, 1]}}
                    """)
                .dimensions()
                .keySet())
        .containsExactly("z", "a");
  }

  @Test
  void choicesNestAsDeepAsWanted() {
    SearchSpace space =
        space(
            """
            {"l1": {"_type": "choice", "_value": [
              {"_name": "none"},
              {"_name": "some", "l2": {"_type": "choice", "_value": [
                {"_name": "deep", "l3": {"_type": "choice", "_value": [
                  {"_name": "deepest", "lr": {"_type": "uniform", "_value": [0, 1]}}]}}]}}]}}
            """);

    SearchSpace deepest = new SearchSpace(Map.of("lr", new Uniform(0, 1)));
    SearchSpace l3 =
        new SearchSpace(Map.of("l3", new Choice(List.of(new Branch("deepest", deepest)))));
    SearchSpace l2 = new SearchSpace(Map.of("l2", new Choice(List.of(new Branch("deep", l3)))));
    assertThat(space)
        .isEqualTo(
            new SearchSpace(
                Map.of(
                    "l1",
                    new Choice(
                        List.of(new Branch("none", SearchSpace.EMPTY), new Branch("some", l2))))));
  }

  /** C1: what an earlier version accepted can be read again from the store. */
  @Test
  void aStoredSpaceIsReadWhateverItsNumbers() {
    String stored =
        """
        {"a": {"_type": "lognormal", "_value": [1000.0, 1.0]},
         "b": {"_type": "quniform", "_value": [0.0, 1.0E9, 1.0E-300]},
         "c": {"_type": "choice", "_value": ["x", "Infinity"]}}
        """;

    assertThat(SearchSpace.of(Json.parse(stored)).dimensions()).hasSize(3);
  }

  @Test
  void theEmptySpaceIsASpace() {
    assertThat(space("{}")).isEqualTo(SearchSpace.EMPTY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [1]                                                       |                   | a search space is an object
          null                                                      |                   | a search space is an object
          {"x": 3}                                                  | /x                | a parameter is
          {"x": {"_value": [1]}}                                    | /x                | has no _type
          {"x": {"_type": 3, "_value": [1]}}                        | /x/_type          | '3' is no type
          {"x": {"_type": "choice"}}                                | /x                | has no _value
          {"x": {"_type": "choice", "_value": 3}}                   | /x/_value         | must be a list, this is 3
          {"x": {"_type": "choice", "_value": []}}                  | /x/_value         | a choice needs at least one option
          {"x": {"_type": "uniform", "_value": [0, 1], "q": 1}}     | /x/q              | a parameter has _type and _value only
          {"x": {"_type": "unifrom", "_value": [0, 1]}}             | /x/_type          | 'unifrom' is no type (did you mean 'uniform'?)
          {"x": {"_type": "layer_choice", "_value": [0, 1]}}        | /x/_type          | 'layer_choice' belongs to architecture search
          {"x": {"_type": "uniform", "_value": [1, 0]}}             | /x/_value         | low 1 is not below high 0
          {"x": {"_type": "uniform", "_value": [1, 1]}}             | /x/_value         | low 1 is not below high 1
          {"x": {"_type": "uniform", "_value": [0]}}                | /x/_value         | needs [low, high], this has 1 elements
          {"x": {"_type": "uniform", "_value": [0, "1"]}}           | /x/_value/1       | must be a finite number, this is "1"
          {"x": {"_type": "uniform", "_value": [0, NaN]}}           | /x/_value/1       | must be a finite number
          {"x": {"_type": "uniform", "_value": [-Infinity, 0]}}     | /x/_value/0       | must be a finite number
          {"x": {"_type": "uniform", "_value": [-1e308, 1e308]}}    | /x/_value         | high - low is beyond the largest number
          {"x": {"_type": "quniform", "_value": [0, 1e9, 1e-300]}}  | /x/_value/2       | the step q is too small
          {"x": {"_type": "qloguniform", "_value": [1, 2, 1e-17]}}  | /x/_value/2       | the step q is too small
          {"x": {"_type": "normal", "_value": [1e308, 1e308]}}      | /x/_value         | draws are within 8.3 sigma of mu, and here they reach beyond the largest number
          {"x": {"_type": "qnormal", "_value": [1e300, 1, 1e-300]}} | /x/_value/2       | the step q is too small
          {"x": {"_type": "lognormal", "_value": [1000, 1]}}        | /x/_value         | draws are e^x for x within 8.3 sigma of mu, and here they reach beyond the largest number
          {"x": {"_type": "qlognormal", "_value": [0, 100, 1]}}     | /x/_value         | draws are e^x for x within 8.3 sigma of mu, and here they reach beyond the largest number
          {"x": {"_type": "lognormal", "_value": [-1000, 1]}}       | /x/_value         | draws are e^x for x within 8.3 sigma of mu, and here they reach below the smallest number
          {"x": {"_type": "choice", "_value": [1, NaN]}}            | /x/_value/1       | must be a finite number
          {"x": {"_type": "choice", "_value": [1, 1e400]}}          | /x/_value/1       | must be a finite number
          {"x": {"_type": "choice", "_value": [{"a": [Infinity]}]}} | /x/_value/0/a/0   | must be a finite number
          {"x": {"_type": "quniform", "_value": [0, 1]}}            | /x/_value         | needs [low, high, q], this has 2 elements
          {"x": {"_type": "quniform", "_value": [0, 1, 0]}}         | /x/_value/2       | the step q must be above 0
          {"x": {"_type": "loguniform", "_value": [0, 1]}}          | /x/_value/0       | a logarithm needs low above 0, this is 0
          {"x": {"_type": "qloguniform", "_value": [-1, 1, 1]}}     | /x/_value/0       | a logarithm needs low above 0, this is -1
          {"x": {"_type": "normal", "_value": [0, 0]}}              | /x/_value/1       | sigma must be above 0, this is 0
          {"x": {"_type": "qlognormal", "_value": [0, 1, -1]}}      | /x/_value/2       | the step q must be above 0
          {"x": {"_type": "randint", "_value": [3, 3]}}             | /x/_value         | no integer lies in [3, 3)
          {"x": {"_type": "randint", "_value": [0.1, 0.9]}}         | /x/_value         | no integer lies in [0.1, 0.9)
          {"x": {"_type": "randint", "_value": [0, 1e300]}}         | /x/_value         | integers beyond 2^53 are not exact
          {"x": {"_type": "choice", "_value": [{"_name": 3}]}}      | /x/_value/0/_name | a branch's _name is text
          {"x": {"_type": "choice", "_value": [{"_name": "a"}, 3]}} | /x/_value/1       | has no _name, while the first option has one
          {"x": {"_type": "choice", "_value": [3, {"_name": "a"}]}} | /x/_value/1       | either all options of a choice have a _name
          {"x": {"_type": "choice", "_value": [{"_name": "a", "b": 3}]}} | /x/_value/0/b | a parameter is
          """)
  void aFaultIsNamedWithItsPlace(String json, String pointer, String message) {
    List<Finding> findings = read(json).findings();

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().pointer())
        .isEqualTo("/searchSpace" + (pointer == null ? "" : pointer));
    assertThat(findings.getFirst().message()).startsWith(message);
  }

  @Test
  void everythingWrongIsSaidAtOnceAndOddNamesAreEscaped() {
    assertThat(
            read("""
            {"a/b": {"_type": "uniform", "_value": [1, 0]},
             "c~": 3,
             "ok": {"_type": "uniform", "_value": [0, 1]},
             "d": {"_type": "quniform", "_value": [1, 0, 0]}}
            """)
                .findings())
        .extracting(Finding::pointer)
        .containsExactly(
            "/searchSpace/a~1b/_value",
            "/searchSpace/c~0",
            "/searchSpace/d/_value",
            "/searchSpace/d/_value/2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"_type": "uniform", "_value": ["a", "b"]}        | /_value/0 /_value/1
          {"_type": "normal", "_value": ["a", -1]}          | /_value/0 /_value/1
          {"_type": "quniform", "_value": [null, 1, 0]}     | /_value/0 /_value/2
          {"_type": "uniform", "_value": ["a"]}             | /_value /_value/0
          {"_type": "unifrom", "_value": 3, "q": 1}         | /q /_type /_value
          {"_type": "choice", "_value": [{"_name": 3, "y": 3}]} | /_value/0/y /_value/0/_name
          """)
  void faultsOfOneParameterAreAllNamed(String dimension, String pointers) {
    assertThat(read("{\"x\": " + dimension + "}").findings())
        .extracting(Finding::pointer)
        .containsExactly(
            Arrays.stream(pointers.split(" "))
                .map(pointer -> "/searchSpace/x" + pointer)
                .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatIsWrittenReadsAsTheSameSpace(long seed) {
    RandomGenerator random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      SearchSpace space = randomSpace(random, 3);

      assertThat(space(space.toJson().toString())).isEqualTo(space);
      assertThat(Json.read(Json.write(space), SearchSpace.class)).isEqualTo(space);
    }
  }

  private static SearchSpace randomSpace(RandomGenerator random, int depth) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (int n = random.nextInt(4); n > 0; n--) {
      dimensions.put("p" + random.nextInt(1_000), randomDimension(random, depth));
    }
    return new SearchSpace(dimensions);
  }

  private static Dimension randomDimension(RandomGenerator random, int depth) {
    double a = random.nextDouble() * Math.pow(10, random.nextInt(-6, 6)) + Double.MIN_NORMAL;
    double b = a * (1.5 + random.nextDouble());
    double q = a / 7;
    return switch (random.nextInt(depth > 0 ? 11 : 10)) {
      case 0 -> new Uniform(-a, b);
      case 1 -> new QUniform(-a, b, q);
      case 2 -> new LogUniform(a, b);
      case 3 -> new QLogUniform(a, b, q);
      case 4 -> new Normal(-a, b);
      case 5 -> new QNormal(a, b, q);
      case 6 -> new LogNormal(Math.min(a, 10), Math.min(b, 10));
      case 7 -> new QLogNormal(Math.min(a, 10), Math.min(b, 10), q);
      case 8 -> new RandInt(-random.nextLong(1, 1L << 52), random.nextLong(1L << 52) + 1);
      case 9 -> new Choice(List.of(new Literal(a), new Literal("t" + a), new Literal(null)));
      default -> {
        List<Dimension.Option> branches = new ArrayList<>();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
          branches.add(new Branch("b" + n, randomSpace(random, depth - 1)));
        }
        yield new Choice(branches);
      }
    };
  }

  @Test
  void constraintsAreAPartOfTheSpaceAndOfItsJson() {
    SearchSpace space =
        read("{\"a\": {\"_type\": \"uniform\", \"_value\": [0, 1]}}")
            .space()
            .under(List.of(Constraint.read("a < 0.5")));
    assertThat(SearchSpace.of(Json.parse(Json.write(space)))).isEqualTo(space);
    assertThat(space.toNniJson().has("_constraints")).isFalse();
    assertThat(space.allows(Map.of("a", 0.4))).isTrue();
    assertThat(space.allows(Map.of("a", 0.6))).isFalse();
    assertThatThrownBy(() -> ParameterShape.of(space).require(Map.of("a", 0.6)))
        .hasMessageContaining("breaks the constraint 'a < 0.5'");
    assertThat(ParameterShape.of(space).judge(Map.of("a", 0.6)).notices()).hasSize(1);
  }

  /** D3. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"x\":[1,100]}",
        "[1,{\"a\":null}]",
        "{\"x\":{\"_type\":\"uniform\",\"_value\":[0,1]}}",
        "{}",
        "7"
      })
  void whatAnAlgorithmOfOthersIsHandedStaysAsItWasGiven(String json) {
    SearchSpace space = SearchSpace.asGiven(Json.parse(json));

    assertThat(space.toNniJson().toString()).isEqualTo(json);
    assertThat(SearchSpace.of(Json.parse(Json.write(space.toJson())))).isEqualTo(space);
    assertThat(space.isOpaque()).isEqualTo(!json.contains("uniform"));
  }

  @Test
  void itsConstraintsGoWithIt() {
    SearchSpace space =
        SearchSpace.asGiven(Json.parse("{\"x\":{\"_type\":\"uniform\",\"_value\":[0,1]}}"))
            .under(List.of(Constraint.read("x < 0.5")));

    assertThat(SearchSpace.of(Json.parse(Json.write(space.toJson())))).isEqualTo(space);
    assertThat(space.allows(Map.of("x", 0.75))).isFalse();
  }
}
