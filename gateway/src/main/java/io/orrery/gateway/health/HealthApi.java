package io.orrery.gateway.health;

import io.orrery.core.json.Json;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;

/**
 * {@code /health/live} answers 200 as long as the event loop turns; {@code /health/ready} 200 when
 * requests will be served, else 503.
 */
public final class HealthApi implements Api {
  private final BooleanSupplier ready;

  /**
   * @param ready asked on the event loop for each request: must answer at once
   */
  public HealthApi(BooleanSupplier ready) {
    this.ready = ready;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get("/health/live", context -> say(200, "up"));
    router.get(
        "/health/ready",
        context -> ready.getAsBoolean() ? say(200, "ready") : say(503, "starting"));
  }

  private static Future<Reply> say(int status, String word) {
    return Future.succeededFuture(
        Reply.status(status, Json.MAPPER.createObjectNode().put("status", word)));
  }
}
