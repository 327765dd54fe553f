package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Algorithm;
import io.orrery.core.bus.contract.Tuners.Argument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that what the documentation says about an algorithm is what the catalogue says. */
class SearchPageTest {
  static Stream<Algorithm> algorithms() {
    return Catalog.standard().list().algorithms().stream();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void thePageDescribesEachAlgorithmAsTheCatalogueDoes(Algorithm algorithm) throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "search.md"))).contains(section(algorithm));
  }

  private static String section(Algorithm algorithm) {
    String aliases =
        algorithm.aliases().isEmpty()
            ? ""
            : " (also " + String.join(", ", algorithm.aliases()) + ")";
    String arguments =
        algorithm.arguments().stream()
            .map(SearchPageTest::row)
            .collect(Collectors.joining("\n", "", "\n"));
    return """
    ### %s%s

    %s

    | argument | type | default | meaning |
    |---|---|---|---|
    """
            .formatted(algorithm.name(), aliases, algorithm.summary())
        + arguments;
  }

  private static String row(Argument argument) {
    String standard = argument.standard() == null ? "" : "`" + argument.standard() + "`";
    return "| `%s` | %s | %s | %s |"
        .formatted(argument.name(), argument.type(), standard, argument.meaning());
  }
}
