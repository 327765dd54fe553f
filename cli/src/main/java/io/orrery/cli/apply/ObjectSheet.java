package io.orrery.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.client.Resource;
import io.orrery.cli.client.Session;
import io.orrery.cli.print.YamlText;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * A description of an object of a kind without a sheet of its own: its state and the reason first,
 * what belongs to it and would help, then all of its keys.
 */
final class ObjectSheet {
  private static final int MOST_RELATED = 5;

  private final Session session;
  private final ObjectKind kind;
  private final ObjectNode object;
  private final Resource one;

  private ObjectSheet(Session session, ObjectKind kind, ObjectNode object) {
    this.session = session;
    this.kind = kind;
    this.object = object;
    this.one = Resource.of(kind.collection(), ObjectTable.name(object));
  }

  /** Prints it. */
  static void print(Session session, ObjectKind kind, JsonNode object) {
    new ObjectSheet(session, kind, object.deepCopy()).print();
  }

  private void print() {
    PrintStream out = session.terminal().out();
    out.printf(
        "%s  %s  owner %s, project %s%n",
        ObjectTable.name(object),
        ObjectTable.status(object),
        object.path("owner").asText("-"),
        object.path("project").asText("-"));
    List<JsonNode> related = related();
    reason(related).ifPresent(reason -> out.println("  reason: " + reason));
    help(related).ifPresent(command -> out.println("  see: " + command));
    out.println();
    if (!related.isEmpty()) {
      related.forEach(object.putArray(relation())::add);
    }
    YamlText.print(out, object);
  }

  /** The newest of what belongs to the object. */
  private List<JsonNode> related() {
    return switch (kind) {
      case MODEL -> session.api().list(one.below("versions"), MOST_RELATED);
      case PIPELINE ->
          session
              .api()
              .list(
                  Resource.of("runs").with("pipeline", object.path("name").asText()), MOST_RELATED)
              .stream()
              .map(
                  run -> (JsonNode) ((ObjectNode) run).retain("id", "status", "createdAt", "error"))
              .toList();
      case EXPERIMENT ->
          session
              .api()
              .list(
                  one.below("trials").with("status", "FAILED").with("sort", "-sequenceId"),
                  MOST_RELATED)
              .stream()
              .map(trial -> (JsonNode) ((ObjectNode) trial).retain("id", "status", "reason"))
              .toList();
      case PROJECT, REGISTRY, BUILD, TEMPLATE, SERVICE, DOMAIN, NOTEBOOK, TOKEN -> List.of();
    };
  }

  private String relation() {
    return switch (kind) {
      case MODEL -> "versions";
      case PIPELINE -> "runs";
      default -> "failedTrials";
    };
  }

  private Optional<String> reason(List<JsonNode> related) {
    JsonNode own =
        switch (kind) {
          case PIPELINE ->
              related.isEmpty() ? object.path("error") : related.getFirst().path("error");
          case EXPERIMENT ->
              object.path("error").isTextual() || related.isEmpty()
                  ? object.path("error")
                  : related.getFirst().path("reason");
          case DOMAIN -> object.at("/rollout/reason");
          default -> object.at("/state/reason");
        };
    return own.isTextual() ? Optional.of(own.asText().strip()) : Optional.empty();
  }

  /** A command that tells more, or that would help. */
  private Optional<String> help(List<JsonNode> related) {
    String name = ObjectTable.name(object);
    return switch (kind) {
      case BUILD -> Optional.of("orrery build logs " + name);
      case REGISTRY -> Optional.of("orrery registry check " + name);
      case DOMAIN ->
          object.at("/rollout/state").asText("").matches("RUNNING|PAUSED")
              ? Optional.of("orrery domain promote " + name + ", orrery domain abort " + name)
              : Optional.empty();
      case PIPELINE ->
          related.stream().findFirst().map(run -> "orrery run show " + run.path("id").asText());
      case EXPERIMENT ->
          related.stream()
              .findFirst()
              .map(trial ->
                  "orrery trial logs %s/%s --stderr".formatted(name, trial.path("id").asText()));
      case PROJECT, TEMPLATE, MODEL, SERVICE, NOTEBOOK, TOKEN -> Optional.empty();
    };
  }
}
