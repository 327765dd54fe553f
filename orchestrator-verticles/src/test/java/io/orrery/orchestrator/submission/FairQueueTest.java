package io.orrery.orchestrator.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.experiment.Share;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue<String, String> queue = new FairQueue<>(100);

  private List<String> all() {
    List<String> order = new ArrayList<>();
    while (queue.size() > 0) {
      queue.poll(owner -> true).ifPresent(order::add);
    }
    return order;
  }

  private void offer(String owner, Share share, int count) {
    for (int i = 0; i < count; i++) {
      queue.offer(owner, share, owner + i);
    }
  }

  @Test
  void ownersTakeTurnsSoThatALongLaneDoesNotStarveAShortOne() {
    offer("g", Share.EQUAL, 5);
    assertThat(queue.poll(owner -> true)).contains("g0");
    offer("s", Share.EQUAL, 1);
    assertThat(all()).startsWith("s0", "g1").hasSize(5);
  }

  @Test
  void whoHasThreeTimesTheWeightIsServedThreeTimesAsOften() {
    offer("light", new Share(50, 1), 40);
    offer("heavy", new Share(50, 3), 40);
    List<String> first = all().subList(0, 40);
    assertThat(first.stream().filter(name -> name.startsWith("heavy")).count())
        .isCloseTo(30, within(1L));
  }

  @Test
  void aLaneThatIsEmptyNowAndThenGetsItsShareAndNoMore() {
    offer("busy", new Share(50, 3), 80);
    int thin = 0;
    for (int i = 0; i < 40; i++) {
      if (queue.waiting("thin").isEmpty()) {
        queue.offer("thin", new Share(50, 1), "thin" + i);
      }
      thin += queue.poll(owner -> true).orElseThrow().startsWith("thin") ? 1 : 0;
    }
    assertThat(thin).isCloseTo(10, within(1));
  }

  @Test
  void aHigherPriorityGoesFirst() {
    offer("low", new Share(10, 100), 2);
    offer("high", new Share(90, 0.1), 2);
    assertThat(all()).containsExactly("high0", "high1", "low0", "low1");
  }

  @Test
  void aClosedLaneIsPassedOverAndKeepsItsOrder() {
    offer("a", Share.EQUAL, 2);
    offer("b", Share.EQUAL, 1);
    assertThat(queue.poll(owner -> !owner.equals("a"))).contains("b0");
    assertThat(queue.poll(owner -> !owner.equals("a"))).isEmpty();
    String first = queue.poll(owner -> true).orElseThrow();
    queue.putBack("a", Share.EQUAL, first);
    assertThat(all()).containsExactly("a0", "a1");
  }

  @Test
  void aFullQueueTakesNothingMoreUntilSomethingIsTakenOut() {
    FairQueue<String, String> one = new FairQueue<>(1);
    assertThat(one.offer("a", Share.EQUAL, "1")).isTrue();
    assertThat(one.offer("b", Share.EQUAL, "2")).isFalse();
    assertThat(one.remove("b", "1")).isFalse();
    assertThat(one.remove("a", "1")).isTrue();
    assertThat(one.poll(owner -> true)).isEmpty();
    assertThat(one.offer("b", Share.EQUAL, "2")).isTrue();
  }
}
