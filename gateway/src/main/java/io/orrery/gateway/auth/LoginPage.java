package io.orrery.gateway.auth;

import io.orrery.gateway.http.PlainPage;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** The form at {@code /login}. */
final class LoginPage {
  static final String UNKNOWN = answering("login?unknown");
  static final String TOO_OFTEN = answering("login?busy");
  static final String DONE = answering("");

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Orrery: sign in</title>
      """
          + PlainPage.STYLE
          + "</head>\n<body>\n"
          + PlainPage.TOP;

  private static final String FORM_BEGINS =
      """
      <main class="login"><form method="post" action="api/v1/session" class="card">
      <h1>Sign in</h1>
      <p class="soft">This server requires a token. Its administrator can give you one; on the server's machine \
      it is in <code>server.json</code>.</p>
      <label class="field"><span>Token</span>
      <input name="token" type="password" autocomplete="current-password" required autofocus></label>
      """;

  private static final String USER_FORM_BEGINS =
      """
      <main class="login"><form method="post" action="api/v1/session" class="card">
      <h1>Sign in</h1>
      <label class="field"><span>User</span>
      <input name="user" autocomplete="username" autocapitalize="none" required autofocus></label>
      <label class="field"><span>Password</span>
      <input name="password" type="password" autocomplete="current-password" required></label>
      """;

  private static final String FORM_ENDS =
      """
      <button class="primary">Sign in</button>
      </form></main>
      </body></html>
      """;

  private LoginPage() {}

  /** An address as the answer to a form that was sent names it. */
  private static String answering(String target) {
    return PlainPage.from(Access.SESSION_PATH, target);
  }

  /** Writes the form: for name and password where people have accounts, else for a token. */
  static void show(RoutingContext context, boolean users) {
    String word =
        switch (String.valueOf(context.request().query())) {
          case "unknown" ->
              users
                  ? "<p class=\"fault\" role=\"alert\">The name or the password is wrong.</p>\n"
                  : "<p class=\"fault\" role=\"alert\">This server does not know that token.</p>\n";
          case "busy" ->
              "<p class=\"fault\" role=\"alert\">Too many failed attempts; wait a minute.</p>\n";
          default -> "";
        };
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        // With no referrer at all a browser calls the form's origin "null", as a foreign page's.
        .putHeader("Referrer-Policy", "same-origin")
        .end(HEAD + (users ? USER_FORM_BEGINS : FORM_BEGINS) + word + FORM_ENDS);
  }
}
