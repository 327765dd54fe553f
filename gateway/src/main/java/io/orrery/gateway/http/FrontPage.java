package io.orrery.gateway.http;

import io.vertx.core.http.HttpHeaders;

/** What stands at {@code /}: where to go from here. */
public final class FrontPage implements Api {
  private static final String TEXT =
      "Orrery is running. Its API is under /api/v1, for example /api/v1/experiments.\n";

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        "/",
        context ->
            context
                .response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(TEXT));
  }
}
