package io.orrery.orchestrator.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  @Test
  void ownersTakeTurnsSoThatALongLaneDoesNotStarveAShortOne() {
    FairQueue<String, String> queue = new FairQueue<>(100);
    for (int i = 0; i < 5; i++) {
      queue.offer("giant", "g" + i);
    }
    queue.offer("small", "s0");

    List<String> order = new ArrayList<>();
    while (queue.size() > 0) {
      queue.poll().ifPresent(order::add);
    }
    assertThat(order).containsExactly("g0", "s0", "g1", "g2", "g3", "g4");
  }

  @Test
  void aFullQueueTakesNothingMore() {
    FairQueue<String, String> queue = new FairQueue<>(1);
    assertThat(queue.offer("a", "1")).isTrue();
    assertThat(queue.offer("b", "2")).isFalse();
    queue.poll();
    assertThat(queue.poll()).isEmpty();
    assertThat(queue.offer("b", "2")).isTrue();
  }
}
