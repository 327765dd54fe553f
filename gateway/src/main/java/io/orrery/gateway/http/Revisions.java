package io.orrery.gateway.http;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The revisions of edited objects as entity tags: {@code ETag} out, {@code If-Match} and {@code
 * If-None-Match} in.
 */
public final class Revisions {
  /** Revisions begin with 1: 0 stands for an object that does not exist, and is no tag. */
  private static final Pattern TAG = Pattern.compile("\"([1-9]\\d{0,17})\"");

  private Revisions() {}

  /** Writes the tag of the object that is answered. */
  public static void tag(RoutingContext context, long revision) {
    context.response().putHeader(HttpHeaders.ETAG, "\"" + revision + "\"");
  }

  /** Whether only a new object is wanted: {@code If-None-Match: *}. */
  public static boolean onlyNew(RoutingContext context) {
    String header = context.request().getHeader(HttpHeaders.IF_NONE_MATCH);
    if (header == null) {
      return false;
    }
    if (!header.strip().equals("*")) {
      throw new Problem.Refused(new Finding("", "If-None-Match is * here, for a new object alone"))
          .toException();
    }
    return true;
  }

  /** The revision that a change is meant for; null when any will do. */
  public static @Nullable Long expected(RoutingContext context) {
    String header = context.request().getHeader(HttpHeaders.IF_MATCH);
    if (header == null || header.strip().equals("*")) {
      return null;
    }
    Matcher tag = TAG.matcher(header.strip());
    if (!tag.matches()) {
      throw new Problem.Refused(
              new Finding("", "If-Match is the ETag of the object, such as \"7\""))
          .toException();
    }
    return Long.parseLong(tag.group(1));
  }

  /**
   * The same where {@code If-None-Match: *} asks for a new object: {@link RevisionCheck#NONE} then.
   */
  public static @Nullable Long expectedOrNone(RoutingContext context) {
    Long expected = expected(context);
    if (!onlyNew(context)) {
      return expected;
    }
    if (context.request().headers().contains(HttpHeaders.IF_MATCH)) {
      throw new Problem.Refused(
              new Finding(
                  "", "If-Match is for an object that is there, If-None-Match for a new one"))
          .toException();
    }
    return RevisionCheck.NONE;
  }
}
