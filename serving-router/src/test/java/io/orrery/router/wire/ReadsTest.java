package io.orrery.router.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.orrery.core.time.VirtualClock;
import io.orrery.router.policy.Loop;
import io.orrery.router.policy.Rates;
import io.orrery.router.policy.Surroundings;
import io.orrery.router.policy.Tables;
import io.orrery.router.route.RouteReader;
import io.orrery.router.telemetry.Meters;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadsTest {
  private static final int LARGE = 64 * 1024;

  private final Loop loop =
      new Loop(
          new Surroundings(
              new Tables(RouteReader.read("services: []\n", "example.com"), 1),
              new Meters(),
              new Rates(),
              new VirtualClock(Instant.EPOCH),
              () -> 0,
              null),
          0,
          1,
          new SplittableRandom(1),
          Runnable::run);

  private final AtomicInteger waiting = new AtomicInteger();
  private final Reads reads = new Reads(new FixedRecvByteBufAllocator(LARGE), loop.reads());
  private final ExtendedHandle handle = (ExtendedHandle) reads.newHandle();

  /** Reads as much as it may be; there is always more. */
  private int read() {
    int bytes = handle.guess();
    handle.lastBytesRead(bytes);
    return bytes;
  }

  @Test
  void aConnectionIsReadInLargePiecesWhileFewRequestsWait() {
    reads.readLittleWhileMany(waiting::get);
    waiting.set(4);
    assertThat(read()).isEqualTo(LARGE);
    assertThat(read()).isEqualTo(LARGE);
  }

  @Test
  void littleIsReadWhileManyRequestsWaitAndThenMoreByAndBy() {
    reads.readLittleWhileMany(waiting::get);
    waiting.set(5);
    assertThat(read()).isEqualTo(256);
    assertThat(read()).isEqualTo(256);

    waiting.set(0);
    int pieces = 0;
    for (int last = 0; last < LARGE; pieces++) {
      int next = read();
      assertThat(next).isGreaterThan(last).isLessThanOrEqualTo(LARGE);
      last = next;
    }
    assertThat(pieces).isLessThanOrEqualTo(9);

    waiting.set(5);
    assertThat(read()).isEqualTo(256);
  }

  @Test
  void whereNothingCountsRequestsAllIsReadInLargePieces() {
    assertThat(read()).isEqualTo(LARGE);
  }
}
