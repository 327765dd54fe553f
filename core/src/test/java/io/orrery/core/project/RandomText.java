package io.orrery.core.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;

/** Makes texts from pieces of a grammar, of which most are wrong in some way. */
final class RandomText {
  private static final List<String> PIECES =
      List.of(
          "a",
          "claim",
          "A_b",
          "data/x",
          "/mnt",
          "/",
          "//",
          "..",
          ".",
          "4G",
          "0",
          "true",
          "org",
          "gpu",
          "(",
          ")",
          "(pvc)",
          "(hostpath)",
          "(memory)",
          "(nfs)",
          ":",
          ";",
          ",",
          "=",
          "|",
          " ",
          "\n",
          "\t",
          "\r",
          "\u0000",
          "\u202E",
          "\uFF08",
          "\uD83D",
          "\uD83D\uDE00",
          "é",
          "10.0.0.7",
          "::1",
          "%",
          "2001:db8::7",
          "gpu.example.com",
          "[",
          "]",
          "\"",
          "\\",
          "x".repeat(300));

  private final SplittableRandom chance;

  RandomText(long seed) {
    chance = new SplittableRandom(seed);
  }

  int below(int bound) {
    return chance.nextInt(bound);
  }

  <T> T of(List<T> all) {
    return all.get(below(all.size()));
  }

  /** Up to 30 pieces, so that a right text, a slip, and nonsense all occur. */
  String garbage() {
    StringBuilder text = new StringBuilder();
    for (int i = below(30); i > 0; i--) {
      text.append(of(PIECES));
    }
    return text.toString();
  }

  /** A text with one character put in, left out or replaced. */
  String slip(String text) {
    StringBuilder slip = new StringBuilder(text);
    int at = below(text.length() + 1);
    switch (below(3)) {
      case 0 -> slip.insert(at, of(PIECES));
      case 1 -> slip.delete(at, Math.min(text.length(), at + 1));
      default -> slip.replace(at, Math.min(text.length(), at + 1), of(PIECES));
    }
    return slip.toString();
  }

  /** Checks that every place lies within the text, and the places are in order. */
  static void assertPlaced(Parsed<?> parsed, String text) {
    for (List<TextFinding> all : List.of(parsed.findings(), parsed.notices())) {
      int last = 0;
      for (TextFinding finding : all) {
        assertThat(finding.offset()).as("%s in %s", finding, text).isBetween(last, text.length());
        assertThat(finding.length())
            .as("%s", finding)
            .isBetween(0, text.length() - finding.offset());
        assertThat(finding.message()).hasSizeBetween(10, 600).doesNotContain("\n", "\u202E");
        last = finding.offset();
      }
    }
  }
}
