package io.orrery.core.style;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The tables of words that are not used, each with the word to use instead. */
final class Wording {
  /** Words and idioms of texts, in lower case. */
  static final Map<String, String> WORDS = read("words.txt");

  /** Simple names of types. */
  static final Map<String, String> NAMES = read("names.txt");

  /** Words within the name of a type, as {@code Desk} in {@code CommandHandler}. */
  static final Map<String, String> NAME_PARTS = read("name-parts.txt");

  /** First words of type docs and log lines, in lower case. */
  static final Map<String, String> FIRST_WORDS = read("first-words.txt");

  /** Simple names that two types of main code may have, with the reason. */
  static final Map<String, String> SHARED_NAMES = read("shared-names.txt");

  private Wording() {}

  private static Map<String, String> read(String name) {
    InputStream file =
        Objects.requireNonNull(Wording.class.getResourceAsStream("/style/" + name), name);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      Map<String, String> table = new LinkedHashMap<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] columns = line.split("\\|", 2);
          table.put(columns[0].strip(), columns[1].strip());
        }
      }
      return Map.copyOf(table);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read the word list " + name, e);
    }
  }
}
