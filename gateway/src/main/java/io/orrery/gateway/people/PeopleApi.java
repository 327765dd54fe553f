package io.orrery.gateway.people;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Caller;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.People.User;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Absent;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.Pages;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.Revisions;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Wire;
import io.orrery.studio.password.PasswordRules;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The API of user accounts, {@code /api/v1/users}, and of the caller, {@code /api/v1/me}. */
final class PeopleApi implements Api {
  private static final String ME = ApiRouter.V1 + "/me";
  private static final String ALL = ApiRouter.V1 + "/users";
  private static final String ONE = ALL + "/:user";
  private static final int MAX_BYTES = 16 << 10;
  private static final List<String> KEYS = List.of("name", "displayName", "mail", "role", "active");

  private final Bus bus;
  private final RequestBody bodies;
  private final RandomGenerator random;

  /**
   * @param random makes the codes of set-up links: a cryptographic source
   */
  public PeopleApi(Bus bus, RequestBody bodies, RandomGenerator random) {
    this.bus = bus;
    this.bodies = bodies;
    this.random = random;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(ME, RouteNeed.CALLER, this::me);
    router.get(ALL, RouteNeed.CALLER, this::list, "q", "role", "active", "cursor", "limit");
    router.post(ALL, RouteNeed.SERVER, this::create, DryRun.PARAMETER);
    router.get(ONE, RouteNeed.CALLER, this::show);
    router.patch(ONE, RouteNeed.SERVER, this::change, DryRun.PARAMETER);
    router.delete(ONE, RouteNeed.SERVER, this::delete);
    router.post(ONE + "/password", RouteNeed.OWN, this::setPassword, DryRun.PARAMETER);
  }

  private Future<Reply> me(RoutingContext context) {
    Caller caller = Callers.of(context);
    return displayName(context, caller).map(displayName -> Reply.ok(shape(caller, displayName)));
  }

  /** The display name of the caller's account; the name of a caller who has none. */
  private Future<String> displayName(RoutingContext context, Caller caller) {
    if (!Callers.areKnown(context)
        || caller.kind() == Caller.Kind.SERVICE
        || !UserName.valid(caller.name())) {
      return Future.succeededFuture(caller.name());
    }
    return Absent.of(bus.request(People.GET, new People.GetUser(new UserName(caller.name()))))
        .map(user -> user.map(User::displayName).orElse(caller.name()));
  }

  private static ObjectNode shape(Caller caller, String displayName) {
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("user", caller.name())
            .put("displayName", displayName)
            .put("role", caller.role().word())
            .put("kind", caller.kind().name().toLowerCase(Locale.ROOT))
            .put("readOnly", caller.readsOnly());
    ArrayNode projects = shape.putArray("projects");
    caller.projects().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry ->
            projects
                .addObject()
                .put("name", entry.getKey().value())
                .put("role", entry.getValue().word()));
    return shape;
  }

  private Future<Reply> list(RoutingContext context) {
    Query query = Query.of(context);
    String role = query.oneOf("role", UserRole.words());
    String active = query.oneOf("active", List.of("true", "false"));
    boolean isAdmin = Callers.of(context).role() == UserRole.ADMIN;
    if ((role != null || active != null) && !isAdmin) {
      throw new Problem.Forbidden("Only an administrator lists users by role or state.")
          .toException();
    }
    return bus.request(
            People.LIST,
            new People.ListUsers(
                query.text("q"),
                // Others are not shown mail addresses, and so must not find them by trying.
                isAdmin,
                role == null ? null : UserRole.of(role).orElseThrow(),
                active == null ? null : Boolean.valueOf(active),
                query.text("cursor"),
                Pages.limit(query)))
        .map(page -> Reply.ok(Pages.of(page.items(), user -> shape(context, user), page.next())));
  }

  private Future<Reply> show(RoutingContext context) {
    return bus.request(People.GET, new People.GetUser(PathIds.user(context)))
        .map(user -> {
          Revisions.tag(context, user.revision());
          return Reply.ok(shape(context, user));
        });
  }

  /** Creates an account; the answer has the code of its set-up link, this once. */
  private Future<Reply> create(RoutingContext context) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields =
              Fields.of(
                  text, KEYS, "{\"name\": \"ann\", \"displayName\": \"Ann\", \"role\": \"user\"}");
          String name = fields.text("name", 200);
          String displayName = fields.text("displayName", People.MOST_TEXT);
          String mail = fields.text("mail", People.MOST_TEXT);
          UserRole role = fields.word("role", UserRole::of, UserRole.words());
          Boolean active = fields.flag("active");
          if (name == null || !UserName.valid(name)) {
            fields.wrong(
                "name", "a user name has 2 to 50 lower-case letters, digits and -, a letter first");
          }
          fields.check();
          if (dryRun) {
            return DryRun.valid(isFree(new UserName(Objects.requireNonNull(name))));
          }
          BearerToken code = BearerToken.random(random);
          return bus.request(
                  People.CREATE,
                  new People.CreateUser(
                      Callers.actor(context),
                      new UserName(Objects.requireNonNull(name)),
                      Objects.requireNonNullElse(displayName, name),
                      Objects.requireNonNullElse(mail, ""),
                      Objects.requireNonNullElse(role, UserRole.USER),
                      active,
                      code.sha256()))
              .map(created -> {
                ObjectNode shape = shape(context, created.user());
                shape.put("setupCode", code.text());
                shape.put("setupUntil", Wire.time(created.setUpUntil()));
                return Reply.created(ALL + "/" + created.user().name(), shape);
              });
        });
  }

  /** Fails when there is a user of a name. */
  private Future<?> isFree(UserName name) {
    return Absent.of(bus.request(People.GET, new People.GetUser(name)))
        .map(found -> {
          if (found.isPresent()) {
            throw new Problem.Conflict("There is a user %s already.".formatted(name)).toException();
          }
          return found;
        });
  }

  private Future<Reply> change(RoutingContext context) {
    UserName name = PathIds.user(context);
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields = Fields.of(text, KEYS, "{\"role\": \"viewer\", \"active\": false}");
          String called = fields.text("name", 200);
          if (called != null && !called.equals(name.value())) {
            fields.wrong("name", "the name is " + name + " in the address");
          }
          var change =
              new People.ChangeUser(
                  Callers.actor(context),
                  name,
                  fields.text("displayName", People.MOST_TEXT),
                  fields.text("mail", People.MOST_TEXT),
                  fields.word("role", UserRole::of, UserRole.words()),
                  fields.flag("active"),
                  Revisions.expected(context));
          fields.check();
          if (dryRun) {
            return DryRun.valid(isPresent(name, change.ifRevision()));
          }
          return bus.request(People.CHANGE, change)
              .map(user -> {
                Revisions.tag(context, user.revision());
                return Reply.ok(shape(context, user));
              });
        });
  }

  /** Fails when there is no user of a name, or the account has changed. */
  private Future<?> isPresent(UserName name, @Nullable Long revision) {
    return bus.request(People.GET, new People.GetUser(name))
        .map(user -> {
          RevisionCheck.require("User " + name, revision, user.revision());
          return user;
        });
  }

  private Future<Reply> delete(RoutingContext context) {
    return bus.request(
            People.DELETE, new People.DeleteUser(Callers.actor(context), PathIds.user(context)))
        .map(Reply.empty(204));
  }

  /**
   * Sets a password: the own one by showing the present one; that of any user as an administrator.
   */
  private Future<Reply> setPassword(RoutingContext context) {
    UserName name = PathIds.user(context);
    Caller caller = Callers.of(context);
    boolean named = caller.name().equals(name.value());
    boolean own = named && caller.kind() == Caller.Kind.PERSON;
    if (!own && caller.role() != UserRole.ADMIN) {
      throw new Problem.Forbidden(
              named
                  ? "A token changes no password: sign in with name and password."
                  : "Only an administrator sets the password of another user.")
          .toException();
    }
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text -> {
          Fields fields =
              Fields.of(
                  text,
                  List.of("password", "present"),
                  "{\"present\": \"…\", \"password\": \"…\"}");
          String password = fields.text("password", 4 * People.MOST_PASSWORD);
          String present = fields.text("present", 4 * People.MOST_PASSWORD);
          if (password == null) {
            fields.wrong("password", "the new password is missing");
          }
          if (own && present == null) {
            fields.wrong("present", "show the present password to change your own");
          }
          if (dryRun && password != null) {
            // The present password is not tried: that would be a way to guess it.
            PasswordRules.fault(password, name.value())
                .ifPresent(fault -> fields.wrong("password", fault));
          }
          fields.check();
          if (dryRun) {
            return DryRun.valid(isPresent(name, null));
          }
          return bus.request(
                  People.SET_PASSWORD,
                  new People.SetPassword(
                      Callers.actor(context),
                      name,
                      own ? present : null,
                      Objects.requireNonNull(password),
                      own ? Callers.session(context) : null))
              .map(Reply.empty(204));
        });
  }

  /** The whole account for administrators and its user; name and display name for others. */
  private static ObjectNode shape(RoutingContext context, User user) {
    Caller caller = Callers.of(context);
    ObjectNode shape =
        Json.MAPPER
            .createObjectNode()
            .put("name", user.name().value())
            .put("displayName", user.displayName());
    if (caller.role() != UserRole.ADMIN && !caller.name().equals(user.name().value())) {
      return shape;
    }
    return shape
        .put("mail", user.mail())
        .put("role", user.role().word())
        .put("active", user.active())
        .put("passwordSet", user.passwordSet())
        .put("createdAt", Wire.time(user.createdAt()))
        .put("changedAt", Wire.time(user.changedAt()))
        .put("revision", user.revision());
  }

  /** The user who is signed in; Forbidden for a token, which makes no further tokens. */
  static UserName self(RoutingContext context) {
    Caller caller = Callers.of(context);
    if (caller.kind() != Caller.Kind.PERSON) {
      throw new Problem.Forbidden(
              "A token makes no further tokens: sign in with name and password.")
          .toException();
    }
    return user(caller);
  }

  /** The user behind a caller; Refused for a service account. */
  static UserName user(Caller caller) {
    if (caller.kind() == Caller.Kind.SERVICE || !UserName.valid(caller.name())) {
      throw new Problem.Refused(new Finding("", "only a user has personal tokens")).toException();
    }
    return new UserName(caller.name());
  }
}
