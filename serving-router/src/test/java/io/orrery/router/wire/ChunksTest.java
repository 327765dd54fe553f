package io.orrery.router.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The framing of chunked bodies. */
class ChunksTest {
  private static final String SOUND =
      "5\r\nhello\r\nA;name=value\r\n0123456789\r\n0\r\nX-Sum: 7\r\n\r\n";

  private int last;
  private Chunks chunks;

  /** The data of a body that comes in pieces of a size. */
  private String data(String body, int size) {
    chunks = new Chunks();
    StringBuilder data = new StringBuilder();
    for (int at = 0; at < body.length(); at += size) {
      ByteBuf piece =
          Unpooled.copiedBuffer(
              body.substring(at, Math.min(body.length(), at + size)), StandardCharsets.ISO_8859_1);
      last = chunks.next(piece);
      while (last > 0) {
        data.append(piece.readCharSequence(last, StandardCharsets.ISO_8859_1));
        last = chunks.next(piece);
      }
      if (last != Chunks.MORE) {
        break;
      }
    }
    return data.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void dataComeOutHoweverTheyWereCutUp(int size) {
    assertThat(data(SOUND, size)).isEqualTo("hello0123456789");
    assertThat(last).isEqualTo(Chunks.END);
    assertThat(chunks.passingTrailers()).isEqualTo("X-Sum: 7\r\n");
    assertThat(data("1\r\na\r\n0\r\nA:\r\nb: \u00e9 \r\n\r\n", size)).isEqualTo("a");
    assertThat(chunks.passingTrailers()).isEqualTo("A:\r\nb: \u00e9 \r\n");
    assertThat(data("0\r\n\r\n", size)).isEmpty();
    assertThat(chunks.passingTrailers()).isEmpty();
  }

  @Test
  void whatFollowsTheEndIsLeftAlone() {
    ByteBuf in = Unpooled.copiedBuffer("0\r\n\r\nGET /", StandardCharsets.ISO_8859_1);
    assertThat(new Chunks().next(in)).isEqualTo(Chunks.END);
    assertThat(in.toString(StandardCharsets.ISO_8859_1)).isEqualTo("GET /");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "g\r\n",
        "-5\r\n",
        "0x5\r\n",
        "5\n",
        "5\r\r\n",
        "5\r\nhello\n",
        "5\r\nhelloX",
        "5;a\n\r\n",
        "FFFFFFFFF\r\n",
        "0\r\nX: 1\n\r\n",
        "0\r\nX Y: 1\r\n\r\n",
        "0\r\n: 1\r\n\r\n",
        "0\r\n\rX"
      })
  void whatIsNoChunkIsAFault(String body) {
    data(body, 1000);
    assertThat(last).isEqualTo(Chunks.FAULT);
  }

  @Test
  void anythingEndsInAVerdict() {
    Random random = new Random(7);
    String alphabet = "0123456789abcdefG;:= \r\n\r\n\r\nX\u0000\u00ff";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder body = new StringBuilder(SOUND);
      for (int j = random.nextInt(4); j > 0; j--) {
        body.setCharAt(
            random.nextInt(body.length()), alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String whole = data(body.toString(), 1000);
      int verdict = last;
      // However it is cut up, the verdict is the same.
      assertThat(data(body.toString(), 1 + random.nextInt(9))).isEqualTo(whole);
      assertThat(last).as(body.toString()).isEqualTo(verdict);
    }
  }
}
