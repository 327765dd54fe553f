package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineBatchTest {
  private final List<String> told = new ArrayList<>();
  private final JsonLines lines = new JsonLines(this::told);

  private void told(JsonScanner skim) {
    while (skim.hasMore()) {
      told.add(skim.tree().toString());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 100})
  void linesAreTheSameHoweverTheyCome(int size) {
    byte[] all = "\"café\"\n\n\"три\"\n{}\nrest".getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < all.length; at += size) {
      lines.take(ByteBuffer.wrap(all, at, Math.min(size, all.length - at)));
    }

    assertThat(told).containsExactly("\"café\"", "\"три\"", "{}");
  }

  @Test
  void aLineThatDoesNotEndIsNotWaitedForForever() {
    ByteBuffer piece = ByteBuffer.wrap(new byte[1 << 20]);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 20; i++) {
                lines.take(piece.rewind());
              }
            })
        .isInstanceOf(IllegalStateException.class);
  }
}
