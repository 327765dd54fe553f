package io.orrery.compute.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.json.Json;
import io.orrery.core.trial.Parameters;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TrialCommandTest {
  private final Parameters parameters =
      Json.read(
          """
          {"lr": 0.01, "name": "it's $HOME", "layers": [1, 2], "deep": true,
           "opt": {"_name": "sgd", "lr": 0.5}, "a.b": 3}
          """,
          Parameters.class);

  @Test
  void placesAreFilledWithQuotedValues() {
    assertThat(of("run --lr={{params.lr}} {{ params.name }} {{params.layers}} {{params.deep}}"))
        .isEqualTo("run --lr=0.01 'it'\\''s $HOME' '[1,2]' true");
  }

  @Test
  void aPathLeadsIntoTheChosenBranch() {
    assertThat(of("{{params.opt}} {{params.opt.lr}} {{params.a.b}}")).isEqualTo("sgd 0.5 3");
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> of("run {{params.lrate}} {{params.layer}}"))
        .hasMessageContaining("{{params.lrate}}")
        .hasMessageContaining("lr, name, layers, deep, opt, opt.lr, a.b");
  }

  @Test
  void otherBracesStayAsTheyAre() {
    assertThat(of("echo {{x}} ${y} {{ params }}")).isEqualTo("echo {{x}} ${y} {{ params }}");
  }

  @Test
  void parametersAreAppendedFlat() {
    assertThat(TrialCommand.of("run \n", parameters, true))
        .isEqualTo(
            "run --lr=0.01 '--name=it'\\''s $HOME' '--layers=[1,2]' --deep=true"
                + " --opt=sgd --opt.lr=0.5 --a.b=3");
  }

  @Test
  void whatIsNoTextIsTheTextOfItsJson() {
    Random random = new Random(5);
    Stream.of(
            Stream.of(
                0,
                -1,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                true,
                -0.0,
                1e-320,
                1e22,
                0.1f,
                Double.MAX_VALUE,
                Double.NaN,
                Double.NEGATIVE_INFINITY,
                new BigDecimal("1E+3"),
                List.of(1, "a")),
            random.longs(1_000).mapToObj(Double::longBitsToDouble),
            random.doubles(1_000).boxed())
        .flatMap(values -> values)
        .forEach(value -> assertThat(TrialCommand.text(value)).isEqualTo(Json.write(value)));
    assertThat(TrialCommand.text(null)).isEqualTo("null");
  }

  private String of(String template) {
    return TrialCommand.of(template, parameters, false);
  }
}
