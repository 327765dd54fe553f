package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bodies are the same however they came in pieces, and told apart as far as they are looked at. */
class BodyDigestTest {
  private final SplittableRandom random = new SplittableRandom(7);

  private BodyDigest digest(byte[] body) {
    BodyDigest digest = new BodyDigest();
    int at = 0;
    while (at < body.length) {
      int piece = Math.min(body.length - at, 1 + random.nextInt(body.length));
      digest.add(ByteBuffer.wrap(body, at, piece));
      at += piece;
    }
    return digest;
  }

  @Test
  void theSameBytesAreTheSameInAnyPieces() {
    byte[] body = new byte[3 * BodyDigest.MOST_BYTES / 2];
    random.nextBytes(body);

    for (int i = 0; i < 20; i++) {
      assertThat(digest(body).sameAs(digest(body))).isTrue();
    }
  }

  @Test
  void oneOtherByteIsAnotherBodyUpToTheBound() {
    byte[] body = new byte[BodyDigest.MOST_BYTES + 1];
    BodyDigest whole = digest(body);

    for (int at : new int[] {0, 1, BodyDigest.MOST_BYTES / 2, BodyDigest.MOST_BYTES - 1}) {
      byte[] other = body.clone();
      other[at] = 1;
      assertThat(digest(other).sameAs(whole)).isFalse();
    }
    body[BodyDigest.MOST_BYTES] = 1;
    assertThat(digest(body).sameAs(whole)).isTrue();
  }

  @Test
  void theBeginningIsKeptAsFarAsTheBound() {
    byte[] body = new byte[3 * BodyDigest.MOST_KEPT];
    random.nextBytes(body);

    for (int i = 0; i < 20; i++) {
      assertThat(digest(body).beginning()).isEqualTo(Arrays.copyOf(body, BodyDigest.MOST_KEPT));
    }
    assertThat(digest(new byte[] {7}).beginning()).containsExactly(7);
    assertThat(digest(new byte[0]).beginning()).isEmpty();
  }

  @Test
  void anotherLengthIsAnotherBody() {
    assertThat(
            digest(new byte[BodyDigest.MOST_BYTES + 1])
                .sameAs(digest(new byte[BodyDigest.MOST_BYTES + 2])))
        .isFalse();
    assertThat(digest(new byte[0]).sameAs(new BodyDigest())).isTrue();
  }
}
