package io.orrery.gateway.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.json.Document;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Reads configurations that are checked or simulated, with the project that they are for. */
final class CheckedConfig {
  private final RequestBody bodies;
  private final ProjectAccess projects;

  CheckedConfig(Bus bus, RequestBody bodies) {
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
  }

  /**
   * The configuration of a request.
   *
   * @param ownership the project, and the caller
   */
  record Wanted(String text, ResourceOwner ownership) {}

  /**
   * Reads a request. The parameter {@code project} has precedence over the key of the
   * configuration; with neither the project is {@code public}. In a named project the caller must
   * be allowed to create.
   */
  Future<Wanted> checked(RoutingContext context) {
    ProjectName project = Query.of(context).read("project", ProjectAccess::named);
    return bodies
        .text(context, ExperimentApi.MAX_CONFIG_BYTES)
        .compose(text ->
            projectOf(context, project, text)
                .compose(named ->
                    named == null
                        ? Future.succeededFuture(
                            new ResourceOwner(ProjectName.PUBLIC, Callers.of(context).name()))
                        : projects.forCreation(context, named))
                .map(owned -> new Wanted(text, owned)));
  }

  /**
   * The project of a configuration; null when neither the request nor the configuration names one.
   *
   * @param wanted that of the request; null when it names none
   */
  static Future<@Nullable ProjectName> projectOf(
      RoutingContext context, @Nullable ProjectName wanted, String text) {
    return wanted == null
        ? context.vertx().executeBlocking(() -> projectOf(text), false)
        : Future.succeededFuture(wanted);
  }

  /** The project that a file names; null for none. What is wrong with the file is told later. */
  private static @Nullable ProjectName projectOf(String text) {
    if (!text.contains("project")) {
      return null;
    }
    JsonNode root;
    try {
      root = Document.read(text).root();
    } catch (ProblemException e) {
      return null;
    }
    return projectOf(root);
  }

  /** The project that a configuration names; null for none. Throws Refused when it can be none. */
  static @Nullable ProjectName projectOf(JsonNode config) {
    JsonNode named = config.path("project");
    if (!named.isTextual()) {
      return null;
    }
    if (!ProjectName.valid(named.textValue())) {
      throw new Problem.Refused(
              new Finding(
                  "/project", "a project's name has 1 to 50 lower-case letters, digits and -"))
          .toException();
    }
    return new ProjectName(named.textValue());
  }
}
