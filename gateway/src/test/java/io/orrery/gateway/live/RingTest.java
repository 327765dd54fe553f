package io.orrery.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RingTest {
  private final Ring ring = new Ring(10);

  @Test
  void itKnowsWhatItStillHas() {
    ring.add(12, Buffer.buffer("a"));
    ring.add(15, Buffer.buffer("b"));

    assertThat(ring.reachesBackTo(9)).isFalse();
    assertThat(ring.reachesBackTo(10)).isTrue();
    assertThat(ring.reachesBackTo(16)).isFalse();
    assertThat(Objects.requireNonNull(ring.after(10)).getValue()).hasToString("a");
    assertThat(Objects.requireNonNull(ring.after(12)).getValue()).hasToString("b");
    assertThat(ring.after(15)).isNull();
  }

  @Test
  void theOldestMakeRoom() {
    for (int i = 11; i <= 20; i++) {
      ring.add(i, Buffer.buffer(new byte[1 << 20]));
    }

    assertThat(ring.reachesBackTo(15)).isFalse();
    assertThat(ring.reachesBackTo(16)).isTrue();
    assertThat(ring.newest()).isEqualTo(20);
  }

  @Test
  void manySmallOnesMakeRoomToo() {
    for (int i = 11; i <= 10_000; i++) {
      ring.add(i, Buffer.buffer("x"));
    }

    assertThat(ring.reachesBackTo(7_999)).isFalse();
    assertThat(ring.reachesBackTo(8_000)).isTrue();
  }

  @Test
  void oneThatIsLargerThanAllRoomIsKept() {
    ring.add(11, Buffer.buffer(new byte[8 << 20]));

    assertThat(ring.after(10)).isNotNull();
  }
}
