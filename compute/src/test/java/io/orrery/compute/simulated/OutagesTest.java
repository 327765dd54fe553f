package io.orrery.compute.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutagesTest {
  @Test
  void comeAndGoInTurn() {
    Outages outages = new Outages(Span.read("100s"), Span.read("10s"), new SplittableRandom(1));

    assertThat(outages.remaining(0)).isZero();
    assertThat(outages.remaining(99.9)).isZero();
    assertThat(outages.remaining(100)).isEqualTo(10);
    assertThat(outages.remaining(108)).isEqualTo(2);
    assertThat(outages.remaining(110)).isZero();
    assertThat(outages.remaining(1_005)).isZero();
    assertThat(outages.remaining(1_095)).isEqualTo(5);
  }

  @Test
  void spellsOfNoLengthEnd() {
    Outages outages = new Outages(Span.read("0"), Span.read("0"), new SplittableRandom(1));

    assertThat(outages.remaining(1e6)).isZero();
  }
}
