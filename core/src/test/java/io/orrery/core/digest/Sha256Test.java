package io.orrery.core.digest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;

class Sha256Test {
  /** The first example of FIPS 180-2, appendix B.1. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void theStandardsExampleHasItsDigest() {
    assertThat(Sha256.hex("abc")).isEqualTo(ABC);
    assertThat(Sha256.hex("abc".getBytes(StandardCharsets.UTF_8))).isEqualTo(ABC);
    assertThat(Sha256.of("abc")).hasSize(32);
  }

  @Test
  void aShortNameIsTheBeginning() {
    assertThat(Sha256.hex("abc", 4)).isEqualTo("ba7816bf");
  }

  @Test
  void whatComesInPiecesHasTheSameDigest() {
    MessageDigest digest = Sha256.begin();
    digest.update((byte) 'a');
    digest.update((byte) 'b');
    assertThat(digest.digest(new byte[] {'c'})).isEqualTo(Sha256.of("abc"));
  }

  @Test
  void aDigestIsKnownByItsForm() {
    String digest = Sha256.hex("abc");

    assertThat(Sha256.isHex(digest)).isTrue();
    assertThat(Sha256.isHex(digest.substring(1))).isFalse();
    assertThat(Sha256.isHex(digest + "0")).isFalse();
    assertThat(Sha256.isHex(digest.replace('b', 'B'))).isFalse();
    assertThat(Sha256.isHex(digest.replace('b', 'g'))).isFalse();
    assertThat(Sha256.isHex("sha256:" + digest)).isFalse();
  }
}
