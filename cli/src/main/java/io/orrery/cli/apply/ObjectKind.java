package io.orrery.cli.apply;

import io.orrery.cli.client.CommandFailure;
import io.orrery.core.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The kinds of objects that can be looked at, more than those that documents have. */
enum ObjectKind {
  PROJECT("project", "projects"),
  TEMPLATE("template", "templates"),
  PIPELINE("pipeline", "pipelines"),
  SERVICE("service", "services"),
  NOTEBOOK("notebook", "notebooks"),
  DOMAIN("domain", "domains"),
  MODEL("model", "models"),
  REGISTRY("registry", "registries"),
  BUILD("build", "builds"),
  EXPERIMENT("experiment", "experiments");

  private final String word;
  private final String collection;

  ObjectKind(String word, String collection) {
    this.word = word;
    this.collection = collection;
  }

  /** The name of its list in the API. */
  String collection() {
    return collection;
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
