package io.orrery.core.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known word nearest to a misspelt one, for "did you mean". */
public final class Nearest {
  /** Shorter ones are the beginning of too many. */
  private static final int LEAST_BEGINNING = 6;

  private Nearest() {}

  /**
   * The nearest known word, when it is near enough to be meant: at most a third of the letters
   * differ (Damerau-Levenshtein, restricted; case and underscores do not count), or it begins with
   * the whole of the word, as {@code maxTrialNumber} does with {@code maxTrials}.
   */
  public static Optional<String> to(String word, Collection<String> known) {
    String plain = plain(word);
    return known.stream()
        .map(k -> new Candidate(k, distance(plain, plain(k))))
        .filter(c ->
            c.distance() <= Math.max(1, Math.max(plain.length(), c.word().length()) / 3)
                || isBegun(plain, plain(c.word())))
        .min(Comparator.comparingInt(Candidate::distance))
        .map(Candidate::word);
  }

  /** {@code " (did you mean 'x'?)"}, or nothing. */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map(k -> " (did you mean '" + k + "'?)").orElse("");
  }

  /** A plural is as good a beginning as a singular. */
  private static boolean isBegun(String plain, String known) {
    String stem = plain.endsWith("s") ? plain.substring(0, plain.length() - 1) : plain;
    return stem.length() >= LEAST_BEGINNING && known.startsWith(stem);
  }

  private record Candidate(String word, int distance) {}

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace("_", "");
  }

  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + same);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
