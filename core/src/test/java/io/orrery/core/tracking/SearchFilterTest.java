package io.orrery.core.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.tracking.SearchField.Kind;
import io.orrery.core.tracking.SearchFilter.Comparison;
import io.orrery.core.tracking.SearchFilter.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchFilterTest {
  private static final List<Operator> OF_NUMBERS =
      List.of(
          Operator.EQUAL,
          Operator.NOT_EQUAL,
          Operator.GREATER,
          Operator.GREATER_OR_EQUAL,
          Operator.LESS,
          Operator.LESS_OR_EQUAL);
  private static final List<Operator> OF_TEXTS =
      List.of(Operator.EQUAL, Operator.NOT_EQUAL, Operator.LIKE, Operator.ILIKE);
  private static final List<Kind> KINDS = List.of(Kind.values());
  private static final String ALPHABET = "ab'\"`%_ .()=<>!ANDorin-/:0123é\\,";

  private static List<Comparison> parse(String text) {
    return SearchFilter.parse(text, SearchSubject.RUN).comparisons();
  }

  @Test
  void aFilterOfTheDocumentationIsRead() {
    assertThat(
            parse(
                "metrics.rmse < 1 and params.model = \"LogisticRegression\" AND tags.`my tag` ILIKE"
                    + " '%Bert%' and attributes.status != 'FAILED' AND start_time >="
                    + " 1664067852747"))
        .containsExactly(
            new Comparison(new SearchField(Kind.METRIC, "rmse"), Operator.LESS, 1, List.of()),
            new Comparison(
                new SearchField(Kind.PARAMETER, "model"),
                Operator.EQUAL,
                0,
                List.of("LogisticRegression")),
            new Comparison(
                new SearchField(Kind.TAG, "my tag"), Operator.ILIKE, 0, List.of("%Bert%")),
            new Comparison(
                new SearchField(Kind.TEXT, "status"), Operator.NOT_EQUAL, 0, List.of("FAILED")),
            new Comparison(
                new SearchField(Kind.NUMBER, "start_time"),
                Operator.GREATER_OR_EQUAL,
                1664067852747.0,
                List.of()));
    assertThat(parse("run_id NOT IN ('a', \"b\")"))
        .containsExactly(
            new Comparison(
                new SearchField(Kind.TEXT, "run_id"), Operator.NOT_IN, 0, List.of("a", "b")));
    assertThat(parse("tags.mlflow.source.type = 'LOCAL'").getFirst().field().key())
        .isEqualTo("mlflow.source.type");
    assertThat(parse("attr.\"Run name\" = 'x'").getFirst().field().key()).isEqualTo("run_name");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "metrics.loss",
        "metrics.loss < 'x'",
        "metrics.loss LIKE '1'",
        "params.lr = 0.1",
        "params.lr > '0.1'",
        "params.lr IN ('a')",
        "color = 'red'",
        "colors.red = 'x'",
        "tags. = 'x'",
        "status = 'a' OR status = 'b'",
        "status = 'a' AND",
        "status = 'a",
        "status IN ('a'",
        "status IN ()",
        "status = 'a' status = 'b'",
        "= 'a'",
        ";drop table tracking_runs",
      })
  void anotherFilterIsRefusedWithWhatIsWrong(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> {
              assertThat(e.problem()).isInstanceOf(Problem.Refused.class);
              assertThat(e.problem().detail()).isNotBlank();
            });
  }

  @Test
  void metricsAndParametersAreThoseOfRunsAlone() {
    assertThatThrownBy(() -> SearchFilter.parse("metrics.a > 1", SearchSubject.MODEL))
        .isInstanceOf(ProblemException.class);
    assertThat(SearchFilter.parse("name LIKE 'd%'", SearchSubject.MODEL).comparisons()).hasSize(1);
  }

  @Test
  void whatIsWrittenFromComparisonsIsReadAsTheSame() {
    Random random = new Random(40);
    for (int round = 0; round < 2_000; round++) {
      List<Comparison> comparisons = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        comparisons.add(comparison(random));
      }
      String text =
          comparisons.stream()
              .map(each -> written(each, random))
              .collect(Collectors.joining(random.nextBoolean() ? " AND " : "  and\n"));

      assertThat(parse(text)).as(text).isEqualTo(comparisons);
    }
  }

  @Test
  void anyTextIsReadOrRefusedAndNothingElse() {
    Random random = new Random(41);
    for (int round = 0; round < 20_000; round++) {
      String text = (random.nextBoolean() ? "tags.a = " : "") + text(random, 30);
      try {
        assertThat(parse(text)).isNotNull();
      } catch (ProblemException e) {
        assertThat(e.problem()).as(text).isInstanceOf(Problem.Refused.class);
      }
    }
  }

  @Test
  void aPatternMatchesAsTheRegularExpressionOfTheSameMeaning() {
    Random random = new Random(42);
    for (int round = 0; round < 5_000; round++) {
      String pattern =
          "a%_b"
              .repeat(2)
              .chars()
              .limit(random.nextInt(9))
              .mapToObj(c -> "ab%_".charAt(random.nextInt(4)))
              .map(String::valueOf)
              .collect(Collectors.joining());
      String text =
          random
              .ints(random.nextInt(8), 'a', 'c')
              .mapToObj(Character::toString)
              .collect(Collectors.joining());
      String expression = pattern.replace("%", ".*").replace('_', '.');

      assertThat(SearchFilter.like(text, pattern, false))
          .as("%s like %s", text, pattern)
          .isEqualTo(Pattern.matches(expression, text));
    }
  }

  private static Comparison comparison(Random random) {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    String key =
        switch (kind) {
          case METRIC, PARAMETER, TAG -> text(random, 8) + "k";
          case TEXT -> List.of("status", "run_name", "user_id").get(random.nextInt(3));
          case NUMBER -> List.of("start_time", "end_time").get(random.nextInt(2));
        };
    SearchField field = new SearchField(kind, key);
    if (kind.isNumeric()) {
      return new Comparison(
          field,
          OF_NUMBERS.get(random.nextInt(OF_NUMBERS.size())),
          random.nextInt(10)
              * Math.pow(10, random.nextInt(6) - 3)
              * (random.nextBoolean() ? 1 : -1),
          List.of());
    }
    if (kind == Kind.TEXT && random.nextBoolean()) {
      return new Comparison(
          field,
          random.nextBoolean() ? Operator.IN : Operator.NOT_IN,
          0,
          List.of(text(random, 5), text(random, 5)));
    }
    return new Comparison(
        field, OF_TEXTS.get(random.nextInt(OF_TEXTS.size())), 0, List.of(text(random, 9)));
  }

  private static String written(Comparison comparison, Random random) {
    SearchField field = comparison.field();
    String prefix =
        switch (field.kind()) {
          case METRIC -> "metrics.";
          case PARAMETER -> "params.";
          case TAG -> "tag.";
          case TEXT, NUMBER -> random.nextBoolean() ? "attributes." : "";
        };
    boolean attribute = field.kind() == Kind.TEXT || field.kind() == Kind.NUMBER;
    String name = prefix + (attribute ? field.key() : quoted(field.key(), '`'));
    char quote = random.nextBoolean() ? '\'' : '"';
    String value =
        switch (comparison.operator()) {
          case IN, NOT_IN ->
              comparison.texts().stream()
                  .map(text -> quoted(text, quote))
                  .collect(Collectors.joining(",", "(", ")"));
          case EQUAL, NOT_EQUAL, GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL, LIKE, ILIKE ->
              field.kind().isNumeric()
                  ? Double.toString(comparison.number())
                  : quoted(comparison.text(), quote);
        };
    return name + " " + comparison.operator().sign() + " " + value;
  }

  private static String quoted(String text, char quote) {
    String sign = String.valueOf(quote);
    return sign + text.replace(sign, sign + sign) + sign;
  }

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
