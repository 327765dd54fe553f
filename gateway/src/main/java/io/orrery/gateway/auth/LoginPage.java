package io.orrery.gateway.auth;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** The form at {@code /login}. */
final class LoginPage {
  static final String UNKNOWN = Access.LOGIN_PATH + "?unknown";
  static final String TOO_OFTEN = Access.LOGIN_PATH + "?busy";

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Orrery: log in</title>
      <h1>Orrery</h1>
      """;

  private static final String FORM =
      """
      <form method="post" action="/api/v1/session">
      <p><label>Token <input name="token" type="password" autocomplete="current-password" required \
      autofocus></label>
      <button>Log in</button></p>
      </form>
      """;

  private LoginPage() {}

  static void show(RoutingContext context) {
    String word =
        switch (String.valueOf(context.request().query())) {
          case "unknown" -> "<p role=\"alert\">This server does not know that token.</p>\n";
          case "busy" -> "<p role=\"alert\">Too many unknown tokens; wait a minute.</p>\n";
          default -> "";
        };
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        // With no referrer at all a browser calls the form's origin "null", as a foreign page's.
        .putHeader("Referrer-Policy", "same-origin")
        .end(HEAD + word + FORM);
  }
}
