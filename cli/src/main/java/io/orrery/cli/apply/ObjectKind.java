package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.client.Api;
import io.orrery.cli.client.CommandFailure;
import io.orrery.cli.client.Resource;
import io.orrery.core.text.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kinds of objects and of their documents, in the order in which they depend on each other.
 * {@link #TOKEN} has no documents: a secret is made where it is shown once.
 */
enum ObjectKind {
  PROJECT("Project", "project", "projects"),
  REGISTRY("Registry", "registry", "registries"),
  BUILD("ImageBuild", "build", "builds"),
  TEMPLATE("Template", "template", "templates"),
  MODEL("Model", "model", "models"),
  PIPELINE("Pipeline", "pipeline", "pipelines"),
  SERVICE("Service", "service", "services"),
  DOMAIN("Domain", "domain", "domains"),
  NOTEBOOK("Notebook", "notebook", "notebooks"),
  EXPERIMENT("Experiment", "experiment", "experiments"),
  TOKEN("Token", "token", "tokens");

  /** The kinds as a command line has them, in a sentence. */
  static final String TYPED =
      "project, registry, build, template, model, pipeline, service, domain, notebook, experiment or"
          + " token";

  private final String word;
  private final String typed;
  private final String collection;

  ObjectKind(String word, String typed, String collection) {
    this.word = word;
    this.typed = typed;
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

  /** The list of the objects in the API; of tokens that of the caller. */
  Resource all() {
    return this == TOKEN ? Resource.of("me", collection) : Resource.of(collection);
  }

  /** An object in the API. */
  Resource one(String name) {
    return all().below(name);
  }

  /** The object of a name; empty when it does not exist, or is hidden. */
  Optional<JsonNode> find(Api api, String name) {
    return this == TOKEN
        ? api.list(all(), null).stream()
            .filter(token -> token.path("name").asText().equals(name))
            .findFirst()
        : api.find(one(name));
  }

  /**
   * The object of a name.
   *
   * @throws CommandFailure failed, when there is no such token
   * @throws io.orrery.cli.client.ProblemResponse when the server refuses
   */
  JsonNode get(Api api, String name) {
    return this == TOKEN
        ? find(api, name)
            .orElseThrow(() ->
                CommandFailure.failed(
                    "there is no token '%s'; orrery get tokens lists yours".formatted(name)))
        : api.get(one(name));
  }

  /** The kinds that have documents. */
  private static Stream<ObjectKind> written() {
    return Arrays.stream(values()).filter(kind -> kind != TOKEN);
  }

  /** The kind of a document; empty when there is none of this name. */
  static Optional<ObjectKind> of(String word) {
    return written().filter(kind -> kind.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return written().map(ObjectKind::word).toList();
  }

  /**
   * The kind of a command line, in any case, singular or plural.
   *
   * @throws CommandFailure refused, when there is none
   */
  static ObjectKind typed(String text) {
    List<String> known = Arrays.stream(values()).map(kind -> kind.typed).toList();
    return Arrays.stream(values())
        .filter(kind -> kind.isTyped(text.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            CommandFailure.refused(
                "there is no kind '%s'; there is %s%s"
                    .formatted(text, String.join(", ", known), Nearest.hint(text, known))));
  }

  private boolean isTyped(String lower) {
    String document = word.toLowerCase(Locale.ROOT);
    return List.of(typed, collection, document, document + "s").contains(lower);
  }
}
