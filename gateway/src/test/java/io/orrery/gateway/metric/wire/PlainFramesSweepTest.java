package io.orrery.gateway.metric.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;

/** Tests connections that are read together, a sweep at a time. */
class PlainFramesSweepTest extends PlainFramesFixture {
  /** Each time that something is looked for, a sweep passes. */
  private void awaitSwept(String... messages) {
    soon()
        .untilAsserted(() -> {
          onTheLoop(() -> clock.advance(SWEEP));
          assertThat(came).containsExactly(messages);
        });
  }

  private void takeItsTime() throws Exception {
    assumeThat(vertx.isNativeTransportEnabled()).as("there is an epoll").isTrue();
    onTheLoop(() -> frames.atLeisure(true));
  }

  @Test
  void whoHasTimeIsReadInTheNextSweepAlone() throws Exception {
    takeItsTime();
    write(all(text("a"), text("b")));
    // What has come meanwhile has been read when a turn of the loop later is over.
    onTheLoop(() -> {});
    onTheLoop(() -> assertThat(came).isEmpty());

    awaitSwept("swept a", "swept b");

    onTheLoop(() -> frames.atLeisure(false));
    write(text("c"));
    awaitCame("swept a", "swept b", "short c");
  }

  @Test
  void inASweepFramesMayBeCutAnywhere() throws Exception {
    takeItsTime();
    byte[] both = all(text("first"), text("second"));
    for (int cut = 1; cut < both.length; cut++) {
      came.clear();
      int first = cut < text("first").length ? 0 : 1;
      socket.getOutputStream().write(both, 0, cut);
      awaitSwept(first == 0 ? new String[0] : new String[] {"swept first"});
      socket.getOutputStream().write(both, cut, both.length - cut);

      awaitSwept("swept first", "swept second");
    }
  }

  @Test
  void whoHasMoreThanASipIsReadAtOnceFromThere() throws Exception {
    takeItsTime();
    String big = "x".repeat(30_000);
    write(all(text("a"), text(big), text("b")));

    soon()
        .untilAsserted(() -> {
          onTheLoop(() -> clock.advance(SWEEP));
          assertThat(came).containsExactly("swept a", "short " + big, "short b");
        });
    write(text("c"));
    awaitCame("swept a", "short " + big, "short b", "short c");
  }

  @Test
  void inASweepAPingIsAnsweredAndAMessageInSeveralFramesGoesTheOrdinaryWay() throws Exception {
    takeItsTime();
    write(all(text("a"), frame(LAST | PING, "there?"), frame(TEXT, "b1")));
    awaitSwept("swept a", "control", "ordinary b1");
    assertThat(socket.getInputStream().readNBytes(8))
        .isEqualTo(all(new byte[] {(byte) 0x8a, 6}, "there?".getBytes(ISO_8859_1)));

    write(all(frame(LAST | CONTINUATION, "b2"), text("c")));
    awaitCame("swept a", "control", "ordinary b1", "ordinary b2", "ordinary c");
  }

  @Test
  void inASweepWhoPausesGetsNothingMoreUntilItGoesOn() throws Exception {
    takeItsTime();
    write(all(text("a"), text("pause"), text("b")));
    awaitSwept("swept a", "swept pause");

    onTheLoop(() -> {
      paused = false;
      frames.resume();
    });
    awaitCame("swept a", "swept pause", "short b");
  }

  @Test
  void whoLeavesIsMissedByTheSweepToo() throws Exception {
    takeItsTime();
    write(text("a"));
    socket.close();

    soon()
        .untilAsserted(() -> {
          onTheLoop(() -> clock.advance(SWEEP));
          assertThat(gone).isTrue();
          assertThat(clock.pending()).isZero();
        });
    assertThat(came.getFirst()).endsWith(" a");
  }

  @Test
  void afterTheLastSweepConnectionsAreReadAtOnce() throws Exception {
    takeItsTime();
    onTheLoop(() -> {
      frames.atLeisure(false);
      clock.advance(SWEEP);
      assertThat(clock.pending()).isZero();
    });
    write(text("a"));
    awaitCame("short a");

    takeItsTime();
    write(text("b"));
    awaitSwept("short a", "swept b");
  }
}
