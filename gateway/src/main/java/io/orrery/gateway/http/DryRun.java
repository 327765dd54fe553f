package io.orrery.gateway.http;

import io.orrery.core.json.Json;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** A check of a change: permission and input are looked at, and nothing is changed. */
public final class DryRun {
  /** The query parameter. */
  public static final String PARAMETER = "dryRun";

  private DryRun() {}

  /** Whether a request asks for a check only. */
  public static boolean isAsked(RoutingContext context) {
    return Query.of(context).flag(PARAMETER);
  }

  /** Whether a request is one for a check, of a route that can be checked; never fails. */
  public static boolean isCheck(RoutingContext context) {
    Served served = context.currentRoute().getMetadata(Served.KEY);
    return served.query().contains(PARAMETER) && isNamed(context);
  }

  /** Whether a request names the parameter, and not to say no. */
  static boolean isNamed(RoutingContext context) {
    return context.queryParam(PARAMETER).stream().anyMatch(asked -> !asked.equals("false"));
  }

  /** The answer to a request that could be done. */
  public static Reply valid() {
    return Reply.ok(Json.MAPPER.createObjectNode().put("valid", true));
  }

  /** The same, once a look at what there is has not failed. */
  public static Future<Reply> valid(Future<?> looked) {
    return looked.map(found -> valid());
  }
}
