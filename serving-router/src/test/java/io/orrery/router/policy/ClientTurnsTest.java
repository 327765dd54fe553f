package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientTurnsTest {
  private final ClientTurns<Named> queue = new ClientTurns<>();
  private final Map<String, Named> all = new HashMap<>();
  private final List<String> refused = new ArrayList<>();

  /** A waiter with a name, which begins with that of its client. */
  private final class Named implements ClientTurns.Waiter {
    private final String name;
    private boolean waits = true;

    private Named(String name) {
      this.name = name;
      all.put(name, this);
    }

    @Override
    public void crowdedOut() {
      waits = false;
      refused.add(name);
    }

    @Override
    public boolean waits() {
      return waits;
    }
  }

  private void add(String client, String... waiters) {
    for (String waiter : waiters) {
      queue.add(client, new Named(waiter));
    }
  }

  /** Has one come where as many wait as may; those that had to go for it. */
  private List<String> crowd(String client, String waiter) {
    refused.clear();
    queue.crowd(client, new Named(waiter));
    return List.copyOf(refused);
  }

  private String poll() {
    Named next = queue.poll();
    return next == null ? null : next.name;
  }

  private List<String> drain() {
    return queue.drain().stream().map(each -> each.name).toList();
  }

  @Test
  void aClientIsServedInTheOrderInWhichItCame() {
    add("a", "a1", "a2", "a3");

    assertThat(drain()).containsExactly("a1", "a2", "a3");
    assertThat(poll()).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void clientsAreServedInTurn() {
    add("a", "a1", "a2", "a3");
    add("b", "b1");
    add("c", "c1", "c2");

    assertThat(poll()).isEqualTo("a1");
    add("d", "d1");
    assertThat(drain()).containsExactly("b1", "c1", "a2", "d1", "c2", "a3");
  }

  @Test
  void aClientWhoseFirstMayNotComeKeepsItsTurn() {
    add("a", "a1", "a2");
    add("b", "b1", "b2");

    assertThat(queue.poll(waiter -> !waiter.name.startsWith("a")).name).isEqualTo("b1");
    assertThat(queue.poll(waiter -> waiter.name.equals("a2"))).as("the first is asked").isNull();
    assertThat(drain()).containsExactly("a1", "b2", "a2");
  }

  @Test
  void theNewestOfTheLongestLineMakesRoomForAnotherClientAlone() {
    add("a", "a1", "a2", "a3");
    add("b", "b1");

    assertThat(crowd("a", "a4")).as("its own line is the longest").containsExactly("a4");
    assertThat(crowd("b", "b2")).containsExactly("a3");
    assertThat(crowd("b", "b3")).as("b would have more than a").containsExactly("b3");
    assertThat(crowd("c", "c1")).containsExactly("a2");
    assertThat(drain()).containsExactly("a1", "b1", "c1", "b2");
  }

  @Test
  void thoseThatGaveUpAreLeftOutAndRemoved() {
    add("a", "a1", "a2");
    add("b", "b1", "b2");
    all.get("a1").waits = false;
    all.get("b2").waits = false;

    assertThat(poll()).isEqualTo("b1");
    queue.sweep();

    assertThat(queue.size()).isEqualTo(1);
    assertThat(drain()).containsExactly("a2");
  }

  /** One that gave up makes room without being told. */
  @Test
  void aPlaceOfOneThatGaveUpIsFree() {
    add("a", "a1", "a2");
    all.get("a2").waits = false;

    assertThat(crowd("b", "b1")).isEmpty();
    assertThat(drain()).containsExactly("a1", "b1");
  }

  /** Whatever is done. */
  @Test
  void noneIsLostOrServedTwice() {
    Random random = new Random(7);
    List<String> in = new ArrayList<>();
    List<String> out = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      String client = "" + random.nextInt(5);
      String waiter = client + ":" + step;
      if (random.nextBoolean()) {
        in.add(waiter);
        add(client, waiter);
      } else if (random.nextInt(10) == 0) {
        in.add(waiter);
        out.addAll(crowd(client, waiter));
      } else {
        String next = poll();
        if (next != null) {
          out.add(next);
        }
      }
    }
    out.addAll(drain());

    assertThat(out).containsExactlyInAnyOrderElementsOf(in);
    assertThat(queue.size()).isZero();
  }

  @Test
  void thoseThatGaveUpAreNotCountedAsWaiting() {
    add("a", "a1", "a2");
    add("b", "b1");
    assertThat(queue.hasMoreThan(2)).isTrue();
    assertThat(queue.hasMoreThan(3)).isFalse();

    all.get("a1").waits = false;
    all.get("b1").waits = false;

    assertThat(queue.hasMoreThan(0)).isTrue();
    assertThat(queue.hasMoreThan(1)).isFalse();
  }
}
