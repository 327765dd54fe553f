package io.orrery.gateway.workspace;

import io.orrery.core.access.Caller;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.gateway.auth.Callers;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The files that the path of a request names, if they are the caller's own. */
final class OwnFiles {
  private static final int MOST_TEXT = 3000;

  private OwnFiles() {}

  /** The person of the path, if that is the caller; any, where people have no accounts. */
  static String user(RoutingContext context) {
    String user = context.pathParam("user");
    Caller caller = Callers.of(context);
    boolean own = caller.kind() != Caller.Kind.SERVICE && caller.name().equals(user);
    if (Callers.areKnown(context) && !own) {
      throw new Problem.NotFound("There are no files of '%s' that you may see.".formatted(user))
          .toException();
    }
    if (user.isEmpty() || user.length() > MOST_TEXT) {
      throw refused("a user is named");
    }
    return user;
  }

  static WorkspacePath path(RoutingContext context) {
    String user = user(context);
    String rest = Objects.requireNonNullElse(context.pathParam("*"), "");
    try {
      // A plus is a plus in a path.
      return WorkspacePath.read(
          user, URLDecoder.decode(rest.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw refused("the path is encoded as %XX");
    }
  }

  private static ProblemException refused(String why) {
    return new Problem.Refused(new Finding("", why)).toException();
  }
}
