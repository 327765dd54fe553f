package io.orrery.gateway.project;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Secrets;
import io.orrery.core.bus.contract.Secrets.ProjectSecret;
import io.orrery.core.bus.contract.Secrets.ProjectSecretList;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.project.SecretReference;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API of a project's secrets: they are set, listed by name and deleted, and never answered. */
final class SecretApi implements Api {
  private static final String ALL = ProjectApi.ONE + "/secrets";
  private static final String ONE = ALL + "/:secret";
  private static final int MAX_BYTES = 4 * Secrets.MOST_VALUE;

  private final Bus bus;
  private final RequestBody bodies;

  public SecretApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, DryRun.PARAMETER);
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
  }

  private Future<Reply> list(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.READ);
    return secrets(project)
        .map(all ->
            Reply.ok(
                Pages.cut(
                    Query.of(context), Pages.of(all.items(), SecretApi::shape, null), "/name")));
  }

  private Future<Reply> show(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.READ);
    String name = context.pathParam("secret");
    return secrets(project)
        .map(all ->
            all.items().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(each -> tagged(context, each))
                .orElseThrow(() ->
                    new Problem.NotFound("Project " + project + " has no such secret.")
                        .toException()));
  }

  /** The secrets of a project; fails with NotFound, as an administrator may name any. */
  private Future<ProjectSecretList> secrets(ProjectName project) {
    return bus.request(Projects.GET, new Projects.GetProject(project))
        .compose(known -> bus.request(Secrets.LIST, new Secrets.SecretsOf(project)));
  }

  private Future<Reply> put(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.OPERATE);
    String name = context.pathParam("secret");
    boolean dryRun = DryRun.isAsked(context);
    Long expected = Revisions.expectedOrNone(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, List.of("value"), "{\"value\": \"…\"}");
          String value = fields.text("value", Secrets.MOST_VALUE);
          if (value == null) {
            fields.wrong("value", "the value is missing");
          }
          fields.check();
          if (dryRun) {
            return DryRun.valid(checked(project, name, Objects.requireNonNull(value), expected));
          }
          return bus.request(
                  Secrets.PUT,
                  new Secrets.PutSecret(
                      Callers.actor(context),
                      project,
                      name,
                      Objects.requireNonNull(value),
                      expected))
              .map(secret -> tagged(context, secret));
        });
  }

  /** Fails when a secret could not be set. */
  private Future<?> checked(
      ProjectName project, String name, String value, @Nullable Long expected) {
    if (!SecretReference.isName(name)) {
      throw new Problem.Refused(
              new Finding(
                  "/name",
                  "a secret is named with lower-case letters, digits, '-', '_' and '.', at most 63"))
          .toException();
    }
    if (value.isEmpty()) {
      throw new Problem.Refused(
              new Finding(
                  "/value", "a value has 1 to %,d characters".formatted(Secrets.MOST_VALUE)))
          .toException();
    }
    return secrets(project)
        .map(all -> {
          Optional<ProjectSecret> present =
              all.items().stream().filter(each -> each.name().equals(name)).findFirst();
          RevisionCheck.require(
              "Secret " + name,
              expected,
              present.map(ProjectSecret::revision).orElse(RevisionCheck.NONE));
          if (present.isEmpty() && all.items().size() >= Secrets.MOST_SECRETS) {
            throw new Problem.Conflict(
                    "Project %s has %d secrets: delete one first."
                        .formatted(project, Secrets.MOST_SECRETS))
                .toException();
          }
          return all;
        });
  }

  private Future<Reply> delete(RoutingContext context) {
    ProjectName project = ProjectApi.allowed(context, Need.OPERATE);
    return bus.request(
            Secrets.DELETE,
            new Secrets.DeleteSecret(
                Callers.actor(context),
                project,
                context.pathParam("secret"),
                Revisions.expected(context)))
        .map(Reply.empty(204));
  }

  private static Reply tagged(RoutingContext context, ProjectSecret secret) {
    Revisions.tag(context, secret.revision());
    return Reply.ok(shape(secret));
  }

  private static ObjectNode shape(ProjectSecret secret) {
    return Json.MAPPER
        .createObjectNode()
        .put("name", secret.name())
        .put("changedBy", secret.changedBy())
        .put("changedAt", Wire.time(secret.changedAt()))
        .put("revision", secret.revision());
  }
}
