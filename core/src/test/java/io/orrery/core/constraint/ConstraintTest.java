package io.orrery.core.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintTest {
  private static final String PARAMETERS =
      """
      {"batch": 64, "hidden": 512, "lr": 0.01, "act": "relu", "bias": true, "batch-size": 8,
       "opt": {"_name": "sgd", "momentum": 0.9}, "odd": [1]}
      """;

  private static final Map<String, Kind> KINDS =
      Map.of(
          "batch", Kind.NUMBER,
          "hidden", Kind.NUMBER,
          "act", Kind.TEXT,
          "bias", Kind.TRUTH,
          "mixed", Kind.ANY,
          "opt", Kind.TEXT,
          "opt.lr", Kind.NUMBER);

  @SuppressWarnings("unchecked")
  private static boolean holds(String text) {
    return Constraint.read(text).holds(Json.read(PARAMETERS, Map.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "batch * hidden <= 65536",
        "batch*hidden<=65536 and lr<0.1",
        "not batch > 100",
        "!(batch > 100) && (hidden == 512 || false)",
        "16 <= batch < hidden <= 512",
        "batch = 64",
        "act == 'relu' and act != \"tanh\"",
        "bias",
        "bias == true",
        "`batch-size` == 8",
        "opt == 'sgd' and opt.momentum >= .9",
        "2 + 3 * 4 ** 2 == 50",
        "-2 ** 2 == -4",
        "2 ** -1 == 0.5",
        "2 ** 3 ** 2 == 512",
        "7 - 2 - 1 == 4 and 16 / 4 / 2 == 2",
        "-7 % 3 == 2",
        "1e-2 == lr",
        "min(batch, hidden, 3) == 3 and max(batch, hidden) == 512 and abs(0 - 3) == 3",
        "abs(log(exp(2)) - 2) < 1e-12",
        "true or 1 / 0 > 2"
      })
  void itHolds(String text) {
    assertThat(holds(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "batch * hidden <= 32767",
        "16 <= batch < 64",
        "not bias",
        "act == 'tanh'",
        "batch > 1 and act == 'tanh' and opt.lr > 1",
        "0 / 0 < 1",
        "log(-1) <= 0",
        "false or opt.momentum > 1"
      })
  void itIsBroken(String text) {
    assertThat(holds(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "opt.lr < 0.1",
        "not opt.lr < 0.1",
        "opt.lr < 0.1 and batch == 64",
        "opt.lr < 0.1 or batch == 1",
        "act * 2 < 1",
        "odd == 1"
      })
  void whatDoesNotApplyBreaksNothing(String text) {
    assertThat(holds(text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          batch <=            | column 9: expected a number, a parameter, a function or a parenthesis, found the end
          batch 64            | column 7: expected an operator, found '64'
          (batch < 1          | column 11: expected ')', found the end
          batch < 1)          | column 10: expected an operator, found ')'
          batch < $1          | column 9: '$' means nothing here
          act == 'relu        | column 8: what begins with ' has no end
          sqrt(batch) < 1     | column 1: there is no function 'sqrt'; there is min, max, abs, log, exp
          mox(batch) < 1      | column 1: there is no function 'mox' (did you mean 'max'?)
          log(batch, 2) < 1   | column 1: log takes one argument, this has 2
          batch < and         | column 9: expected a number
          """)
  void whatCannotBeReadIsToldWithItsColumn(String text, String message) {
    assertThatThrownBy(() -> Constraint.read(text))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> assertThat(refused.problem().detail()).startsWith(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          batch * hiden < 9   | column 9: there is no parameter 'hiden' (did you mean 'hidden'?)
          batch + 1           | column 7: a constraint is true or false, this is a number
          act < 3             | column 1: what stands before < is a number, this is text
          1 + act == 3        | column 5: what follows + is a number, this is text
          act == 3            | column 8: text is never equal to a number
          bias + 1 > 0        | column 1: what stands before + is a number, this is true or false
          not batch           | column 5: what follows not is true or false, this is a number
          batch and bias      | column 1: and joins what is true or false, this is a number
          log(opt) > 1        | column 5: an argument is a number, this is text
          """)
  void whatMakesNoSenseIsToldWithItsColumn(String text, String message) {
    assertThat(Constraint.read(text).check(KINDS))
        .singleElement()
        .extracting(Fault::toString)
        .asString()
        .startsWith(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mixed < 3", "mixed == 'auto'", "opt == 'sgd' and opt.lr < 1", "bias"})
  void whatMayMakeSenseIsLetPass(String text) {
    assertThat(Constraint.read(text).check(KINDS)).isEmpty();
  }

  @Test
  void nothingIsTooMuchForTheReader() {
    assertThatThrownBy(() -> Constraint.read("(".repeat(400) + "1"))
        .hasMessageContaining("nested deeper than 50");
    assertThatThrownBy(() -> Constraint.read("not ".repeat(200) + "true"))
        .hasMessageContaining("nested deeper than 50");
    assertThatThrownBy(() -> Constraint.read("1".repeat(1_001) + " < 2"))
        .hasMessageContaining("at most 1000 characters");
    SplittableRandom random = new SplittableRandom(1);
    String[] pieces = {"a", "(", ")", "1", ".", "<", "=", "'", "`", "and ", "not ", "**", "-", ","};
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      random.ints(random.nextInt(12), 0, pieces.length).forEach(p -> text.append(pieces[p]));
      try {
        boolean ignored = Constraint.read(text.toString()).holds(Map.of("a", 1));
      } catch (ProblemException refused) {
        assertThat(refused.problem().detail()).contains("column");
      }
    }
  }

  @Test
  void itsJsonIsItsText() {
    Constraint constraint = Constraint.read("batch  <= 3");
    assertThat(Json.write(constraint)).isEqualTo("\"batch  <= 3\"");
    assertThat(Json.read(Json.write(constraint), Constraint.class)).isEqualTo(constraint);
  }
}
