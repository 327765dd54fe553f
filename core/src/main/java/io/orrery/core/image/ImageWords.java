package io.orrery.core.image;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words by which texts may name some images: their repositories with a tag, and their digests.
 * More is found than names them, and nothing that does is missed: a repository counts with any host
 * before it, since registries have several names, and with any letters before it, which may be the
 * end of an escaped line break.
 */
public final class ImageWords {
  /** The tag of a word whose text makes its tag only later, such as {@code :{{version}}}. */
  private static final String ANY = "*";

  private static final String LIBRARY = "library/";
  private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

  private final Set<String> digests = new LinkedHashSet<>();
  private final Map<String, Pattern> repositories = new LinkedHashMap<>();

  /**
   * The words of images.
   *
   * @param images each with its digest
   */
  public ImageWords(Collection<ImageReference> images) {
    for (ImageReference image : images) {
      digests.add(Objects.requireNonNull(image.digest()));
      repositories.computeIfAbsent(bare(image.repository()), ImageWords::pattern);
    }
  }

  private static Pattern pattern(String repository) {
    return Pattern.compile(
        Pattern.quote(repository)
            + "(?![A-Za-z0-9/]|[._-]+[a-z0-9])(?<at>[:@]?)"
            + "(?<tag>(?<=:)[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?<made>[{$]?)");
  }

  /** Images of Docker's own need no {@code library/} in texts. */
  private static String bare(String repository) {
    return repository.startsWith(LIBRARY) ? repository.substring(LIBRARY.length()) : repository;
  }

  /** The substrings of which each text with such a word contains one. */
  public List<String> parts() {
    Set<String> parts = new LinkedHashSet<>(repositories.keySet());
    parts.addAll(digests);
    return List.copyOf(parts);
  }

  /** The words in a text. */
  public Set<String> in(String text) {
    Set<String> words = new HashSet<>();
    Matcher digest = DIGEST.matcher(text);
    while (digest.find()) {
      if (digests.contains(digest.group())) {
        words.add(digest.group());
      }
    }
    repositories.forEach((repository, pattern) -> {
      Matcher found = pattern.matcher(text);
      while (found.find()) {
        add(repository, found, words);
      }
    });
    return words;
  }

  private static void add(String repository, Matcher found, Set<String> words) {
    String tag = found.group("tag");
    boolean colon = found.group("at").equals(":");
    if (!found.group("made").isEmpty() || (colon && tag == null)) {
      words.add(word(repository, ANY));
    } else if (tag != null) {
      words.add(word(repository, tag));
      // A full stop may be the end of a sentence.
      words.add(word(repository, tag.replaceAll("[.-]+$", "")));
    } else if (found.group("at").isEmpty()) {
      words.add(word(repository, "latest"));
    }
  }

  private static String word(String repository, String tag) {
    return bare(repository) + ":" + tag;
  }

  /**
   * Finds a word that names an image.
   *
   * @param tags that it has in its repository
   * @param words whether something has a word
   * @return the word; empty when none names it
   */
  public static String naming(
      ImageReference image, Collection<String> tags, Predicate<String> words) {
    String digest = Objects.requireNonNull(image.digest());
    if (words.test(digest)) {
      return digest;
    }
    String made = word(image.repository(), ANY);
    if (words.test(made)) {
      return made;
    }
    return tags.stream()
        .map(tag -> word(image.repository(), tag))
        .filter(words)
        .findFirst()
        .orElse("");
  }
}
