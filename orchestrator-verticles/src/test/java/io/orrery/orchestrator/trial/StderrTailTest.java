package io.orrery.orchestrator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests what of stderr becomes part of a failed trial's reason (B1). */
class StderrTailTest {
  @Test
  void theLastLinesAreKeptWithoutColoursAndBlankLines() {
    assertThat(tail("one\n\n\u001b[31mtwo\u001b[0m\nthree\n")).isEqualTo("one\ntwo\nthree");
    assertThat(tail("line\n".repeat(50)).lines()).hasSize(8);
    assertThat(tail("")).isEmpty();
    assertThat(tail("\0\0\n")).isEmpty();
  }

  @Test
  void ofAProgressBarTheLastStateCounts() {
    assertThat(tail("10%\r50%\r100%\nValueError: bad\n")).endsWith("100%\nValueError: bad");
  }

  @Test
  void theExceptionOfALongMessageStays() {
    String lines = "detail\n".repeat(30);
    assertThat(
            tail(
                "Traceback (most recent call last):\n  File \"x.py\", line 1\n    f()\n"
                    + "ValueError: bad\n"
                    + lines))
        .startsWith("ValueError: bad\n…\ndetail");
  }

  @Test
  void aLongLineIsCutAndAllOfItIsShort() {
    String tail = tail(("x".repeat(2_000) + "\n").repeat(20));
    assertThat(tail.length()).isLessThan(1_400);
    assertThat(tail.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(300));
  }

  private static String tail(String text) {
    return StderrTail.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
