package io.orrery.journeys.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrintedTextTest {
  @Test
  void numbersAndIdsMayDiffer() {
    assertThat(
            PrintedText.firstMissing(
                List.of("…", "best: efh9f 0.791423 {\"width\":0.83}"),
                List.of("orrery: a line", "best: abcde 1.5e-3 {\"width\":7}")))
        .isNull();
  }

  @Test
  void wordsMayNot() {
    assertThat(
            PrintedText.firstMissing(
                List.of("reason      its command ended with exit code 7"),
                List.of("reason  its command ended")))
        .isEqualTo("reason      its command ended with exit code 7");
  }

  @Test
  void aLineIsLookedForFurtherDownOnlyAfterThreeDots() {
    List<String> printed = List.of("one", "two", "three");
    assertThat(PrintedText.firstMissing(List.of("one", "three"), printed)).isEqualTo("three");
    assertThat(PrintedText.firstMissing(List.of("one", "…", "three"), printed)).isNull();
    assertThat(PrintedText.firstMissing(List.of("one", "…", "four"), printed)).isEqualTo("four");
  }
}
