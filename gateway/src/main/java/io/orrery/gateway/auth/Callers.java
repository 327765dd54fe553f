package io.orrery.gateway.auth;

import io.orrery.core.access.AccessDecision;
import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.Permits;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The caller of a request that the guard has let pass. */
public final class Callers {
  /** The user of the operating system, where no caller is asked: an administrator. */
  public static final Caller LOCAL =
      new Caller(
          Objects.requireNonNullElse(System.getProperty("user.name"), "local"),
          UserRole.ADMIN,
          Caller.Kind.PERSON,
          Map.of(),
          false);

  /** The caller of a route that is open to all: it may do nothing that is asked for by name. */
  static final Caller ANONYMOUS =
      new Caller("", UserRole.VIEWER, Caller.Kind.PERSON, Map.of(), true);

  private static final String KEY = "orrery.caller";

  private Callers() {}

  static void put(RoutingContext context, Caller caller) {
    context.put(KEY, caller);
  }

  /** The caller; the local user where no caller is asked. */
  public static Caller of(RoutingContext context) {
    Caller caller = context.get(KEY);
    return caller == null ? LOCAL : caller;
  }

  /** Whether callers are asked who they are; where not, each is the local user. */
  public static boolean areKnown(RoutingContext context) {
    return context.get(KEY) != null;
  }

  /** Whether the caller may name each file, variable and cluster of the server. */
  public static boolean serverFiles(RoutingContext context) {
    return of(context).role() == UserRole.ADMIN;
  }

  /** The caller as the author of a change. */
  public static Actor actor(RoutingContext context) {
    return new Actor(of(context).name(), address(context));
  }

  /** The address that a request came from. */
  static String address(RoutingContext context) {
    return Objects.requireNonNullElse(context.request().remoteAddress().hostAddress(), "");
  }

  /** The digest of the session that the request shows; null when it shows none. */
  public static @Nullable String session(RoutingContext context) {
    return Access.sessionDigest(context.request());
  }

  /** The projects whose objects the caller may list; null for all. */
  public static @Nullable List<ProjectName> visible(RoutingContext context) {
    Caller caller = of(context);
    return caller.seesEverything() ? null : caller.projects().keySet().stream().sorted().toList();
  }

  /** Says of the owner of an object whether the caller may see it. */
  public static Predicate<ResourceOwner> sees(RoutingContext context) {
    Caller caller = of(context);
    return owner -> Permits.decide(caller, Need.READ, owner) == AccessDecision.ALLOWED;
  }

  /**
   * Refuses a caller who may not do something.
   *
   * @param what the object in words, for the answer: {@code experiment abc}
   * @throws io.orrery.core.problem.ProblemException Forbidden, or NotFound where the object is
   *     hidden
   */
  public static void require(Caller caller, Need need, ResourceOwner object, String what) {
    switch (Permits.decide(caller, need, object)) {
      case ALLOWED -> {}
      case FORBIDDEN -> throw forbidden(caller, need, object, what).toException();
      case HIDDEN -> throw hidden(what);
    }
  }

  /** The refusal that does not tell whether the object exists. */
  static ProblemException hidden(String what) {
    return new Problem.NotFound("There is no " + what + ".").toException();
  }

  private static Problem forbidden(Caller caller, Need need, ResourceOwner object, String what) {
    if (caller.readsOnly()) {
      return new Problem.Forbidden(readsOnly(caller));
    }
    String who =
        switch (need) {
          case READ -> "a member";
          case CREATE -> "a member or creator";
          case OPERATE -> "its owner, or a creator or ops";
          case CHANGE -> "its owner, or a creator";
          case MANAGE -> "a creator";
        };
    return new Problem.Forbidden(
        "%s may not %s %s: that needs %s of the project %s."
            .formatted(caller.name(), verb(need), what, who, object.project()));
  }

  private static String verb(Need need) {
    return switch (need) {
      case READ -> "see";
      case CREATE -> "create";
      case OPERATE -> "stop or resume";
      case CHANGE -> "change";
      case MANAGE -> "manage";
    };
  }

  /** The refusal of a caller who changes nothing. */
  static String readsOnly(Caller caller) {
    return caller.readOnly()
        ? "A token with the scope read may look, but change nothing."
        : "A %s with the role viewer may look, but change nothing."
            .formatted(caller.kind() == Caller.Kind.PERSON ? "user" : "token");
  }
}
