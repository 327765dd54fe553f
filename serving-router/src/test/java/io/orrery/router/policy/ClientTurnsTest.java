package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientTurnsTest {
  private final ClientTurns<String> queue = new ClientTurns<>();

  private void add(String client, String... waiters) {
    for (String waiter : waiters) {
      queue.add(client, waiter);
    }
  }

  @Test
  void aClientIsServedInTheOrderInWhichItCame() {
    add("a", "a1", "a2", "a3");

    assertThat(queue.drain()).containsExactly("a1", "a2", "a3");
    assertThat(queue.poll()).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void clientsAreServedInTurn() {
    add("a", "a1", "a2", "a3");
    add("b", "b1");
    add("c", "c1", "c2");

    assertThat(queue.poll()).isEqualTo("a1");
    add("d", "d1");
    assertThat(queue.drain()).containsExactly("b1", "c1", "a2", "d1", "c2", "a3");
  }

  @Test
  void theNewestOfTheLongestLineMakesRoomForAnotherClientAlone() {
    add("a", "a1", "a2", "a3");
    add("b", "b1");

    assertThat(queue.evictFor("a")).as("its own line is the longest").isNull();
    assertThat(queue.evictFor("b")).isEqualTo("a3");
    assertThat(queue.evictFor("b")).as("b would have as many as a").isNull();
    assertThat(queue.evictFor("c")).isEqualTo("a2");
    assertThat(queue.evictFor("c")).isNull();
    assertThat(queue.drain()).containsExactly("a1", "b1");
  }

  @Test
  void thoseThatGaveUpAreRemoved() {
    add("a", "a1", "a2");
    add("b", "b1");

    queue.removeIf(waiter -> !waiter.equals("a2"));

    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.drain()).containsExactly("a2");
  }

  /** Whatever is done. */
  @Test
  void noneIsLostOrServedTwice() {
    Random random = new Random(7);
    List<String> in = new ArrayList<>();
    List<String> out = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      String client = "" + random.nextInt(5);
      if (random.nextBoolean()) {
        String waiter = client + ":" + step;
        in.add(waiter);
        queue.add(client, waiter);
      } else if (random.nextInt(10) == 0) {
        String evicted = queue.evictFor(client);
        if (evicted != null) {
          out.add(evicted);
        }
      } else {
        String next = queue.poll();
        if (next != null) {
          out.add(next);
        }
      }
    }
    out.addAll(queue.drain());

    assertThat(out).containsExactlyInAnyOrderElementsOf(in);
    assertThat(queue.size()).isZero();
  }
}
