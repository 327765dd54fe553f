package io.orrery.cli.apply;

import io.orrery.cli.client.CommandFailure;
import io.orrery.core.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of documents, in the order in which they depend on each other. */
enum ManifestKind {
  PROJECT("Project", "projects"),
  REGISTRY("Registry", "registries"),
  BUILD("ImageBuild", "builds"),
  TEMPLATE("Template", "templates"),
  PIPELINE("Pipeline", "pipelines"),
  SERVICE("Service", "services"),
  NOTEBOOK("Notebook", "notebooks");

  private final String word;
  private final String collection;

  ManifestKind(String word, String collection) {
    this.word = word;
    this.collection = collection;
  }

  /** The kind as documents write it. */
  String word() {
    return word;
  }

  /** The name of its list in the API. */
  String collection() {
    return collection;
  }

  /** The kind of a document; empty when there is none of this name. */
  static Optional<ManifestKind> of(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(ManifestKind::word).toList();
  }

  /**
   * The kind of a command line, in any case, singular or plural.
   *
   * @throws CommandFailure refused, when there is none
   */
  static ManifestKind typed(String typed) {
    String lower = typed.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(kind ->
            kind.collection.equals(lower) || kind.word.toLowerCase(Locale.ROOT).equals(lower))
        .findFirst()
        .orElseThrow(() ->
            CommandFailure.refused(
                "there is no kind '"
                    + typed
                    + "'; there is "
                    + String.join(
                        ", ", words().stream().map(word -> word.toLowerCase(Locale.ROOT)).toList())
                    + Nearest.hint(typed, words())));
  }
}
