package io.orrery.core.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of other trackers as MLflow's API takes them. */
class TrackedKeyTest {
  @ParameterizedTest
  @CsvSource({
    "loss,loss",
    "val/loss:1 a.b-c,val/loss:1 a.b-c",
    "mAP@0.5,mAP_0.5",
    "/x,_/x",
    "x/,x/_",
    "a/../b,a/_/b",
    "'',_",
    "größe,größe"
  })
  void aCharacterThatIsRefusedBecomesAnUnderscore(String foreign, String key) {
    assertThat(TrackedKey.of(foreign)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(ints = {250, 251, 1000})
  void aLongOneIsCut(int length) {
    assertThat(TrackedKey.of("x".repeat(length))).hasSize(250);
    assertThat(TrackedKey.of("/" + "x".repeat(length)))
        .startsWith("_/x")
        .hasSizeLessThanOrEqualTo(250);
  }

  @Test
  void whateverComesBecomesANameThatIsTaken() {
    Random random = new Random(7);
    String signs = "ab1_-. :/@%é\n\t\uD83D\uDE00";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder foreign = new StringBuilder();
      for (int n = random.nextInt(300); n > 0; n--) {
        foreign.append(signs.charAt(random.nextInt(signs.length())));
      }
      String key = TrackedKey.of(foreign.toString());
      assertThat(TrackedKey.isValid(key)).as(key).isTrue();
      if (TrackedKey.isValid(foreign.toString())) {
        assertThat(key).isEqualTo(foreign.toString());
      }
    }
  }
}
