package io.orrery.orchestrator.experiment.transfer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A comparison of names of parameters: whether two may well mean the same, as {@code lr} and {@code
 * learningRate} do. Numbers in names must agree: {@code units1} is not {@code units2}.
 */
final class NameSimilarity {
  private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+");

  /** A shorter word is the beginning of too many, and one letter makes another word of it. */
  private static final int LEAST_BEGINNING = 3;

  private static final int LEAST_MISSPELT = 5;

  /** The words that stand for others, in names of parameters. */
  private static final Map<String, List<String>> SHORT =
      Map.of(
          "lr", List.of("learning", "rate"),
          "wd", List.of("weight", "decay"),
          "bs", List.of("batch", "size"),
          "bsz", List.of("batch", "size"),
          "n", List.of("num"),
          "number", List.of("num"),
          "nb", List.of("num"),
          "reg", List.of("regularization"));

  private NameSimilarity() {}

  /**
   * A name, taken apart once for all comparisons.
   *
   * @param numbers those of the words, in order
   */
  record Name(String text, List<String> words, List<String> numbers) {
    static Name of(String text) {
      List<String> words = NameSimilarity.words(text);
      return new Name(text, words, NameSimilarity.numbers(words));
    }
  }

  /** Whether two names may mean the same. */
  static boolean similar(Name one, Name other) {
    List<String> a = one.words();
    List<String> b = other.words();
    return one.numbers().equals(other.numbers())
        && !a.isEmpty()
        && !b.isEmpty()
        && (String.join("", a).equals(String.join("", b))
            || initials(a, b)
            || initials(b, a)
            || sameWords(a, b)
            || mostOf(a, b)
            || mostOf(b, a));
  }

  private static List<String> words(String name) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(name);
    while (matcher.find()) {
      String word = matcher.group().toLowerCase(Locale.ROOT);
      words.addAll(SHORT.getOrDefault(word, List.of(word)));
    }
    return words;
  }

  private static List<String> numbers(List<String> words) {
    return words.stream().filter(word -> Character.isDigit(word.charAt(0))).sorted().toList();
  }

  /** Whether the first name is made of the beginnings of at least two words. */
  private static boolean initials(List<String> shorter, List<String> longer) {
    return longer.size() > 1
        && shorter.size() == 1
        && shorter.getFirst().length() == longer.size()
        && longer.stream()
            .map(word -> word.substring(0, 1))
            .collect(Collectors.joining())
            .equals(shorter.getFirst());
  }

  private static boolean sameWords(List<String> a, List<String> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!sameWord(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameWord(String a, String b) {
    String shorter = a.length() <= b.length() ? a : b;
    String longer = a.length() <= b.length() ? b : a;
    return longer.equals(shorter)
        || (shorter.length() >= LEAST_BEGINNING && longer.startsWith(shorter))
        || (shorter.length() >= LEAST_MISSPELT && oneLetterApart(shorter, longer));
  }

  /** Whether one letter is another one, or one is left out. */
  private static boolean oneLetterApart(String shorter, String longer) {
    int same = 0;
    while (same < shorter.length() && shorter.charAt(same) == longer.charAt(same)) {
      same++;
    }
    int rest = same + (shorter.length() == longer.length() ? 1 : 0);
    return longer.length() - shorter.length() <= 1
        && shorter.substring(Math.min(rest, shorter.length())).equals(longer.substring(same + 1));
  }

  /** Whether all words of one name are in the other one, and are at least half of it. */
  private static boolean mostOf(List<String> few, List<String> many) {
    return 2 * few.size() >= many.size() && new HashSet<>(many).containsAll(few);
  }
}
