package io.orrery.compute.secret;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.project.SecretReference;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Puts the secrets of a project in the place of references to them, when a program starts. */
public final class ProjectSecrets {
  private final Vertx vertx;
  private final Bus bus;
  private final SecretBox box;

  /**
   * @param box with the key of the server
   */
  public ProjectSecrets(Vertx vertx, Bus bus, SecretBox box) {
    this.vertx = vertx;
    this.bus = bus;
    this.box = box;
  }

  /** The variables with their values; fails with Refused when a secret is missing. */
  public Future<Map<String, String>> fill(ProjectName project, Map<String, String> environment) {
    List<String> names =
        environment.values().stream()
            .map(SecretReference::name)
            .flatMap(Optional::stream)
            .distinct()
            .sorted()
            .toList();
    if (names.isEmpty()) {
      return Future.succeededFuture(environment);
    }
    return bus.request(Secrets.FIND, new Secrets.FindSecrets(project, names))
        .compose(found ->
            vertx.executeBlocking(
                () -> {
                  Map<String, String> filled = new HashMap<>(environment);
                  filled.replaceAll((variable, value) ->
                      SecretReference.name(value)
                          .map(name -> open(found.sealed(), name, variable))
                          .orElse(value));
                  return filled;
                },
                false));
  }

  /** What may be stored in the place of a value that {@link #fillSealed} opens. */
  public Future<String> seal(String value) {
    return vertx.executeBlocking(() -> box.sealValue(value), false);
  }

  /**
   * The same as {@link #fill} where values may be sealed. Only for variables that no user has
   * written: a user could name what is sealed elsewhere.
   */
  public Future<Map<String, String>> fillSealed(
      ProjectName project, Map<String, String> environment) {
    return fill(project, environment)
        .compose(filled ->
            vertx.executeBlocking(
                () -> {
                  Map<String, String> opened = new HashMap<>(filled);
                  environment.forEach((variable, value) -> {
                    if (value.startsWith(SecretBox.SEALED)) {
                      opened.put(variable, box.open(value, "/env/" + variable));
                    }
                  });
                  return opened;
                },
                false));
  }

  /**
   * A value that a program of the server needs itself.
   *
   * @param stored a reference to a secret of the project, or a sealed value
   * @return fails with Refused when the secret is missing
   */
  public Future<String> open(ProjectName project, String stored) {
    String variable = "password";
    return SecretReference.name(stored).isPresent()
        ? fill(project, Map.of(variable, stored))
            .map(filled -> Objects.requireNonNull(filled.get(variable)))
        : vertx.executeBlocking(() -> box.open(stored, "/" + variable), false);
  }

  /** The answer has each name that was asked for. */
  private String open(Map<String, String> sealed, String name, String variable) {
    return box.open(Objects.requireNonNull(sealed.get(name)), "/env/" + variable);
  }
}
