package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkTurnsTest {
  private static final long MICROS = TimeUnit.MICROSECONDS.toNanos(1);
  private static final String HOSTILE = "10.0.0.1";
  private static final String OTHER = "10.0.0.2";

  private final AtomicLong now = new AtomicLong();
  private final WorkTurns turns = new WorkTurns(now::get);
  private final EmbeddedChannel loop = new EmbeddedChannel();
  private final List<String> order = new ArrayList<>();

  @BeforeEach
  void freeze() {
    loop.freezeTime();
  }

  @AfterEach
  void close() {
    loop.close();
  }

  /** Adds work that takes so long. */
  private void add(String client, long micros) {
    add(
        client,
        () -> {
          now.addAndGet(micros * MICROS);
          order.add(client);
        });
  }

  private void add(String client, Runnable work) {
    turns.run(new Connecting(client, work), loop.eventLoop());
  }

  /** A turn of the event loop, and how much was done in it. */
  private int turn() {
    int before = order.size();
    loop.advanceTimeBy(1, TimeUnit.MICROSECONDS);
    loop.runScheduledPendingTasks();
    return order.size() - before;
  }

  @Test
  void whatFitsIntoATurnIsDoneAtOnce() {
    for (int i = 0; i < 3; i++) {
      add(HOSTILE, 300);
    }

    assertThat(order).hasSize(3);
    assertThat(turn()).isZero();
  }

  @Test
  void clientsComeInTurnHoweverMuchOneWants() {
    for (int i = 0; i < 100; i++) {
      add(HOSTILE, 400);
    }
    assertThat(order).hasSize(3);
    add(OTHER, 400);

    assertThat(turn()).isEqualTo(3);
    assertThat(order.subList(3, 6)).containsExactly(HOSTILE, OTHER, HOSTILE);
    int turnsTaken = 1;
    while (order.size() < 101) {
      assertThat(turn()).isBetween(1, 3);
      turnsTaken++;
    }
    assertThat(turnsTaken).isGreaterThan(30);
  }

  @Test
  void theConsequencesOfWorkTakeTheFollowingTurns() {
    for (int i = 0; i < 10; i++) {
      add(HOSTILE, 400);
    }
    turns.follow(() -> now.addAndGet(2_500 * MICROS));
    add(OTHER, 400);

    assertThat(turn()).isZero();
    assertThat(turn()).isZero();
    assertThat(turn()).isPositive();
  }

  @Test
  void workThatFailsKeepsNoOtherFromItsTurn() {
    add(HOSTILE, 1_000);
    add(
        HOSTILE,
        () -> {
          throw new IllegalStateException("of this test");
        });
    add(OTHER, 100);

    turn();
    turn();

    assertThat(order).containsExactly(HOSTILE, OTHER);
  }

  @Test
  void workWithinWorkIsCountedOnce() {
    add(
        HOSTILE,
        () -> {
          add(HOSTILE, 300);
          add(HOSTILE, 300);
        });

    add(OTHER, 300);

    assertThat(order).containsExactly(HOSTILE, HOSTILE, OTHER);
  }

  @Test
  void workWithinWorkWaitsWhenTheTurnIsOver() {
    add(
        HOSTILE,
        () -> {
          for (int i = 0; i < 5; i++) {
            add(HOSTILE, 400);
          }
        });

    assertThat(order).hasSize(3);
    assertThat(turn()).isEqualTo(2);
  }

  @Test
  void newcomersDoNotPassWhatWaitsWhileTurnsPause() {
    add(HOSTILE, 1_000);
    add(HOSTILE, 400);
    turns.follow(() -> now.addAndGet(1_500 * MICROS));
    assertThat(turn()).isZero();

    add(OTHER, 400);

    assertThat(order).containsExactly(HOSTILE);
    assertThat(turn()).isEqualTo(2);
    assertThat(order).containsExactly(HOSTILE, HOSTILE, OTHER);
  }
}
