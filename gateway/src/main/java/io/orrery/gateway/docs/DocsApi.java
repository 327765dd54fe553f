package io.orrery.gateway.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Document;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** The API document: {@code /openapi.yaml} for programs, {@code /docs} for people. */
public final class DocsApi implements Api {
  private final String document = OpenApiDocument.assemble();
  private @Nullable String page;

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        "/openapi.yaml", RouteNeed.CALLER, context -> send(context, "application/yaml", document));
    router.stream("/docs", RouteNeed.CALLER, context -> send(context, "text/html", page()));
  }

  /** Made when it is first asked for: few ever do. */
  private String page() {
    if (page == null) {
      JsonNode tree = Document.read(document).root();
      page = new ReferencePage(tree).html();
    }
    return page;
  }

  private static void send(RoutingContext context, String type, String text) {
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, type + "; charset=utf-8").end(text);
  }
}
