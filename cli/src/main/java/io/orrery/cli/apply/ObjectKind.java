package io.orrery.cli.apply;

import io.orrery.cli.client.CommandFailure;
import io.orrery.core.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kinds of objects that can be looked at, more than those that documents have. */
enum ObjectKind {
  PROJECT("project"),
  TEMPLATE("template"),
  PIPELINE("pipeline"),
  SERVICE("service"),
  NOTEBOOK("notebook"),
  DOMAIN("domain"),
  MODEL("model"),
  REGISTRY("registry"),
  EXPERIMENT("experiment");

  private final String word;

  ObjectKind(String word) {
    this.word = word;
  }

  /** The name of its list in the API. */
  String collection() {
    return this == REGISTRY ? "registries" : word + "s";
  }

  /**
   * The kind of a command line, in any case, singular or plural.
   *
   * @throws CommandFailure refused, when there is none
   */
  static ObjectKind typed(String typed) {
    String lower = typed.toLowerCase(Locale.ROOT);
    List<String> words = Arrays.stream(values()).map(kind -> kind.word).toList();
    return Arrays.stream(values())
        .filter(kind -> kind.word.equals(lower) || kind.collection().equals(lower))
        .findFirst()
        .orElseThrow(() ->
            CommandFailure.refused(
                "there is no kind '%s'; there is %s%s"
                    .formatted(
                        typed,
                        words.stream().collect(Collectors.joining(", ")),
                        Nearest.hint(typed, words))));
  }
}
