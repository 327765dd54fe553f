package io.orrery.orchestrator.experiment.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.orchestrator.experiment.transfer.NameSimilarity.Name;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which names of parameters may mean the same. */
class NameSimilarityTest {
  private static boolean similar(String one, String other) {
    return NameSimilarity.similar(Name.of(one), Name.of(other));
  }

  @ParameterizedTest
  @CsvSource({
    "lr, learning_rate",
    "LR, learningRate",
    "learning-rate, learningRate",
    "batch_size, batchsize",
    "bs, batchSize",
    "wd, weight_decay",
    "n_layers, num_layers",
    "number_of_layers, num_of_layers",
    "dropout, dropout_rate",
    "dropout, drop_out",
    "units1, units_1",
    "momentum, momentun",
    "layer, layers",
    "hidden_dim, hidden_dimension",
    "md, max_depth",
    "initial_lr, learning_rate"
  })
  void namesThatMayMeanTheSame(String one, String other) {
    assertThat(similar(one, other)).isTrue();
    assertThat(similar(other, one)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "lr, momentum",
    "units1, units2",
    "beta_1, beta_2",
    "units, units2",
    "min_lr, max_lr",
    "encoder_dim, decoder_dim",
    "rate_a, rate_b",
    "x, y",
    "lr, l",
    "dropout, momentum",
    "_, __"
  })
  void namesThatDoNot(String one, String other) {
    assertThat(similar(one, other)).isFalse();
    assertThat(similar(other, one)).isFalse();
  }

  @Test
  void everyNameWithALetterIsLikeItself() {
    for (String name : List.of("a", "lr", "learning_rate", "Ab3", "x0", "n")) {
      assertThat(similar(name, name)).as(name).isTrue();
    }
  }
}
