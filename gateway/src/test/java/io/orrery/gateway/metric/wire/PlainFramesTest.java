package io.orrery.gateway.metric.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that notes down which way each message came. */
class PlainFramesTest extends PlainFramesFixture {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 8, 9, 125, 126, 1_000, 65_000})
  void aMessageOfAnyLengthIsUnmasked(int length) throws Exception {
    String text = "0123456789".repeat(6_500).substring(0, length);
    write(text(text));

    awaitCame("short " + text);
  }

  @Test
  void whatComesTogetherIsHandedOverTogether() throws Exception {
    write(all(text("a"), frame(LAST | BINARY, "b"), text("c")));

    awaitCame("short a", "short b", "short c");
    soon().untilAsserted(() -> assertThat(rounds).hasValue(1));
  }

  @Test
  void framesMayBeCutAnywhere() throws Exception {
    byte[] both = all(text("first"), text("x".repeat(200)));
    for (int cut = 1; cut < both.length; cut++) {
      came.clear();
      socket.getOutputStream().write(both, 0, cut);
      socket.getOutputStream().write(both, cut, both.length - cut);

      awaitCame("short first", "short " + "x".repeat(200));
    }
  }

  @Test
  void aPingBetweenTwoMessagesIsAnswered() throws Exception {
    write(all(text("a"), frame(LAST | PING, "there?"), text("b")));

    InputStream in = socket.getInputStream();
    assertThat(in.readNBytes(8))
        .isEqualTo(all(new byte[] {(byte) 0x8a, 6}, "there?".getBytes(ISO_8859_1)));
    awaitCame("short a", "control", "short b");
  }

  @Test
  void fromAMessageInSeveralFramesOnTheOrdinaryWayIsTaken() throws Exception {
    write(all(text("a"), frame(TEXT, "b1"), frame(LAST | CONTINUATION, "b2"), text("c")));

    awaitCame("short a", "ordinary b1", "ordinary b2", "ordinary c");
  }

  @Test
  void fromALongMessageOnTheOrdinaryWayIsTaken() throws Exception {
    String big = "x".repeat(65_535);
    write(all(text("a"), text(big), text("b")));

    awaitCame("short a", "ordinary " + big, "ordinary b");
  }

  @Test
  void aFrameWithoutAMaskIsRefusedByVertx() throws Exception {
    write(all(text("a"), new byte[] {(byte) 0x81, 1, 'b'}));

    socket.getInputStream().readAllBytes();
    assertThat(came).containsExactly("short a");
  }

  @Test
  void whoPausesGetsNothingMoreUntilItGoesOn() throws Exception {
    write(all(text("a"), text("pause"), text("b")));
    awaitCame("short a", "short pause");
    write(text("c"));

    onTheLoop(() -> {
      paused = false;
      frames.resume();
    });

    awaitCame("short a", "short pause", "short b", "short c");
  }

  @Test
  void answersAreFramesOfText() throws Exception {
    write(text("a"));
    awaitCame("short a");

    onTheLoop(() -> assertThat(frames.write("{\"ack\":1}")).isTrue());
    assertThat(socket.getInputStream().readNBytes(11))
        .isEqualTo(all(new byte[] {(byte) 0x81, 9}, "{\"ack\":1}".getBytes(ISO_8859_1)));
    onTheLoop(() -> assertThat(frames.write("x".repeat(126))).isFalse());
  }
}
