package io.orrery.gateway.people;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.UserName;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.Scope;
import io.orrery.core.bus.contract.People.Token;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The API of personal tokens, {@code /api/v1/me/tokens}. A token is answered once, when it is
 * created; a token cannot create another one.
 */
final class PersonalTokenApi implements Api {
  private static final String ALL = ApiRouter.V1 + "/me/tokens";
  private static final int MAX_BYTES = 16 << 10;
  private static final int MOST_NAME = 100;
  private static final int MOST_PROJECTS = 100;
  private static final List<String> KEYS = List.of("name", "expiresAt", "scope", "projects");
  private static final List<String> SCOPES = List.of("full", "read");

  private final Bus bus;
  private final RequestBody bodies;
  private final Clock clock;
  private final RandomGenerator random;

  /**
   * @param random makes the tokens: a cryptographic source
   */
  public PersonalTokenApi(Bus bus, RequestBody bodies, Clock clock, RandomGenerator random) {
    this.bus = bus;
    this.bodies = bodies;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ALL, RouteNeed.OWN, this::list, "cursor", "limit");
    router.post(ALL, RouteNeed.OWN, this::create, DryRun.PARAMETER);
    router.delete(ALL + "/:name", RouteNeed.OWN, this::delete);
  }

  private Future<Reply> list(RoutingContext context) {
    return bus.request(People.TOKENS, new People.ListTokens(PeopleApi.user(Callers.of(context))))
        .map(tokens ->
            Reply.ok(
                Pages.cut(
                    Query.of(context),
                    Pages.of(tokens.items(), PersonalTokenApi::shape, null),
                    "/name")));
  }

  private Future<Reply> create(RoutingContext context) {
    UserName user = PeopleApi.self(context);
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, KEYS, "{\"name\": \"ci\", \"scope\": \"full\"}");
          String name = fields.text("name", MOST_NAME);
          Instant expires = fields.instant("expiresAt");
          Scope scope = fields.word("scope", PersonalTokenApi::scope, SCOPES);
          List<ProjectName> projects = projects(fields);
          if (name == null || !name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            fields.wrong("name", "the name of a token has letters, digits, '.', '_' and '-'");
          }
          if (expires != null && !expires.isAfter(clock.now())) {
            fields.wrong("expiresAt", "expiresAt is in the past");
          }
          fields.check();
          if (dryRun) {
            return DryRun.valid(isFree(user, Objects.requireNonNull(name)));
          }
          BearerToken token = BearerToken.random(random);
          return bus.request(
                  People.CREATE_TOKEN,
                  new People.CreateToken(
                      Callers.actor(context),
                      user,
                      Objects.requireNonNull(name),
                      Objects.requireNonNullElse(scope, Scope.FULL),
                      projects,
                      expires,
                      token.sha256()))
              .map(created ->
                  Reply.created(
                      ALL + "/" + created.name(), shape(created).put("token", token.text())));
        });
  }

  /** Fails when a user has a token of a name. */
  private Future<?> isFree(UserName user, String name) {
    return bus.request(People.TOKENS, new People.ListTokens(user))
        .map(tokens -> {
          if (tokens.items().stream().anyMatch(each -> each.name().equals(name))) {
            throw new Problem.Conflict("You have a token %s already.".formatted(name))
                .toException();
          }
          return tokens;
        });
  }

  private static @Nullable List<ProjectName> projects(Fields fields) {
    List<String> names = fields.texts("projects", MOST_PROJECTS);
    if (names == null) {
      return null;
    }
    if (!names.stream().allMatch(ProjectName::valid)) {
      fields.wrong("projects", "projects is a list of the names of projects");
      return null;
    }
    return names.stream().map(ProjectName::new).toList();
  }

  private static Optional<Scope> scope(String word) {
    return Arrays.stream(Scope.values()).filter(scope -> word(scope).equals(word)).findFirst();
  }

  private static String word(Scope scope) {
    return scope.name().toLowerCase(Locale.ROOT);
  }

  private Future<Reply> delete(RoutingContext context) {
    return bus.request(
            People.DELETE_TOKEN,
            new People.DeleteToken(
                Callers.actor(context),
                PeopleApi.user(Callers.of(context)),
                context.pathParam("name")))
        .map(Reply.empty(204));
  }

  private static ObjectNode shape(Token token) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("name", token.name())
            .put("scope", word(token.scope()))
            .put("createdAt", Wire.time(token.createdAt()))
            .put("expiresAt", Wire.time(token.expiresAt()));
    shape.set("projects", Json.MAPPER.valueToTree(token.projects()));
    return shape;
  }
}
