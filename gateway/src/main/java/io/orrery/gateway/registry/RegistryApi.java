package io.orrery.gateway.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Registries;
import io.orrery.core.bus.contract.Registries.RegistryAccount;
import io.orrery.core.json.Json;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.document.DocumentBody;
import io.orrery.gateway.document.DocumentReply;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.gateway.project.ProjectAccess;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The API of accounts of registries, {@code /api/v1/registries}; a password is never answered. */
final class RegistryApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/registries";
  private static final String ONE = ALL + "/:registry";
  private static final int MAX_BYTES = 4 * Registries.MOST_PASSWORD;
  private static final int MOST_TEXT = 400;
  static final List<String> KEYS = List.of("kind", "name", "project", "server", "user", "password");
  private static final List<String> ADDED =
      List.of("owner", "passwordFrom", "createdAt", "changedAt", "revision");

  private final Bus bus;
  private final RequestBody bodies;
  private final ProjectAccess projects;

  public RegistryApi(Bus bus, RequestBody bodies) {
    this.bus = bus;
    this.bodies = bodies;
    this.projects = new ProjectAccess(bus);
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.STUDIO, this::list, "project", "owner", "q", "cursor", "limit");
    router.get(ONE, RouteNeed.STUDIO, this::show);
    router.put(ONE, RouteNeed.STUDIO, this::put, "project", "dryRun");
    router.delete(ONE, RouteNeed.STUDIO, this::delete);
    router.post(ONE + "/check", RouteNeed.STUDIO, this::check);
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    return bus.request(
            Registries.LIST,
            new Registries.ListRegistries(
                ProjectAccess.among(context, query.read("project", ProjectAccess::named)),
                query.text("owner"),
                query.text("q")))
        .map(all ->
            Reply.ok(Pages.cut(query, Pages.of(all.items(), RegistryApi::shape, null), "/name")));
  }

  private Future<Reply> show(RoutingContext context) {
    return allowed(context, Need.READ)
        .map(account -> {
          Revisions.tag(context, account.revision());
          return Reply.ok(shape(account));
        });
  }

  private Future<Reply> put(RoutingContext context) {
    String name = context.pathParam("registry");
    boolean dryRun = Query.of(context).flag("dryRun");
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          DocumentBody body = DocumentBody.read(text, "registry", ADDED);
          return body.placed(
              Absent.of(allowed(context, Need.CHANGE))
                  .compose(before -> put(context, name, body, before.orElse(null), dryRun)));
        })
        .map(done -> {
          if (!dryRun) {
            Revisions.tag(context, done.account().revision());
          }
          return DocumentReply.of(
              ALL + "/" + name, shape(done.account()), done.outcome(), List.of(), dryRun);
        });
  }

  /**
   * @param before null when it is to be created, or is hidden
   */
  private Future<Registries.PutRegistryDone> put(
      RoutingContext context,
      String name,
      DocumentBody body,
      @Nullable RegistryAccount before,
      boolean dryRun) {
    Fields fields = Fields.of(body.json(), KEYS);
    ProjectName project =
        body.identify(
            context,
            fields,
            "Registry",
            "registry",
            name,
            before == null ? null : before.project());
    String server = fields.text("server", MOST_TEXT);
    String user = fields.text("user", MOST_TEXT);
    if (server == null && before == null) {
      fields.wrong("server", "the server is missing, such as hub.example.com");
    }
    if (user == null && before == null) {
      fields.wrong("user", "the user is missing");
    }
    String password = fields.text("password", Registries.MOST_PASSWORD);
    fields.check();
    Future<ResourceOwner> owned =
        before == null
            ? projects.forCreation(context, project)
            : Future.succeededFuture(new ResourceOwner(before.project(), before.owner()));
    return owned.compose(owner ->
        bus.request(
            Registries.PUT,
            new Registries.PutRegistry(
                Callers.actor(context),
                name,
                owner.project(),
                server == null ? Objects.requireNonNull(before).server() : server,
                user == null ? Objects.requireNonNull(before).user() : user,
                password,
                before == null,
                Revisions.expected(context),
                dryRun)));
  }

  private Future<Reply> delete(RoutingContext context) {
    return allowed(context, Need.CHANGE)
        .compose(account ->
            bus.request(
                Registries.DELETE,
                new Registries.DeleteRegistry(Callers.actor(context), account.name())))
        .map(Reply.empty(204));
  }

  private Future<Reply> check(RoutingContext context) {
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> allowed(context, Need.OPERATE))
        .compose(account ->
            bus.request(
                    Registries.CHECK,
                    new Registries.CheckRegistry(account.project(), account.name()))
                .map(checked ->
                    Reply.ok(
                        Json.MAPPER
                            .createObjectNode()
                            .put("name", account.name())
                            .put("ok", checked.ok())
                            .put("reason", checked.reason()))));
  }

  /** The account of the path, upon which the caller may do something. */
  private Future<RegistryAccount> allowed(RoutingContext context, Need need) {
    String name = context.pathParam("registry");
    return bus.request(Registries.GET, new Registries.GetRegistry(name))
        .map(account -> {
          Callers.require(
              Callers.of(context),
              need,
              new ResourceOwner(account.project(), account.owner()),
              "registry '" + name + "'");
          return account;
        });
  }

  private static ObjectNode shape(RegistryAccount account) {
    return Json.MAPPER
        .createObjectNode()
        .put("name", account.name())
        .put("project", account.project().value())
        .put("owner", account.owner())
        .put("server", account.server())
        .put("user", account.user())
        .put("passwordFrom", account.passwordFrom())
        .put("createdAt", Wire.time(account.createdAt()))
        .put("changedAt", Wire.time(account.changedAt()))
        .put("revision", account.revision());
  }
}
