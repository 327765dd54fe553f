package io.orrery.compute.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogFramesTest {
  private static Buffer frame(int stream, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer()
        .appendByte((byte) stream)
        .appendBytes(new byte[3])
        .appendInt(bytes.length)
        .appendBytes(bytes);
  }

  @Test
  void theContentOfBothStreamsIsTheSameWhereverTheBytesAreCut() {
    String long300 = "x".repeat(300) + "\n";
    Buffer whole =
        Buffer.buffer()
            .appendBuffer(frame(1, "one\n"))
            .appendBuffer(frame(2, ""))
            .appendBuffer(frame(2, "zwei ü\n"))
            .appendBuffer(frame(1, long300));

    for (int size = 1; size <= whole.length(); size++) {
      LogFrames frames = new LogFrames();
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      for (int at = 0; at < whole.length(); at += size) {
        content.writeBytes(
            frames.content(whole.getBuffer(at, Math.min(whole.length(), at + size))));
      }
      assertThat(content.toString(StandardCharsets.UTF_8))
          .as("in pieces of %d", size)
          .isEqualTo("one\nzwei ü\n" + long300);
    }
  }
}
