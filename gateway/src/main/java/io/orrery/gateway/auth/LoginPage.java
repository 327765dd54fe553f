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

  private static final String BUTTON = "<button class=\"primary\">Sign in</button>\n";
  private static final String FORM_ENDS = "</form></main>\n</body></html>\n";

  private static final String PROVIDER_BEGINS =
      """
      <main class="login"><form class="card">
      <h1>Sign in</h1>
      """;

  private static final String PROVIDER =
      """
      <p><a class="button" href="api/v1/session/openid">Sign in with your organization</a></p>
      """;

  /** Leads on by itself: only a page of this site may, since the cookie is a strict one. */
  private static final String SIGNED_IN =
      """
      <main class="login"><div class="card">
      <meta http-equiv="refresh" content="0; url=./">
      <h1>Signed in</h1>
      <p><a href="./">Go on</a></p>
      </div></main>
      </body></html>
      """;

  private LoginPage() {}

  /** An address as the answer to a form that was sent names it. */
  private static String answering(String target) {
    return PlainPage.from(Access.SESSION_PATH, target);
  }

  /** Writes the form: for name and password where accounts have them, else for a token. */
  static void show(RoutingContext context, Access access) {
    String query = String.valueOf(context.request().query());
    boolean done = query.equals("done") && access.openId() != null;
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        // With no referrer at all a browser calls the form's origin "null", as a foreign page's.
        .putHeader("Referrer-Policy", "same-origin")
        .end(HEAD + (done ? SIGNED_IN : form(access, fault(query, access.hasPasswords()))));
  }

  private static String form(Access access, String fault) {
    String said = fault.isEmpty() ? "" : "<p class=\"fault\" role=\"alert\">" + fault + "</p>\n";
    if (access.openId() == null) {
      return (access.hasUsers() ? USER_FORM_BEGINS : FORM_BEGINS) + said + BUTTON + FORM_ENDS;
    }
    return access.hasPasswords()
        ? USER_FORM_BEGINS + said + BUTTON + PROVIDER + FORM_ENDS
        : PROVIDER_BEGINS + said + PROVIDER + FORM_ENDS;
  }

  private static String fault(String word, boolean passwords) {
    return switch (word) {
      case "unknown" ->
          passwords
              ? "The name or the password is wrong."
              : "This server does not know that token.";
      case "busy" -> "Too many failed attempts; wait a minute.";
      case "provider" -> "The sign-in at the provider did not succeed: try again.";
      case "account" ->
          "There is no account for you here, or it is disabled: ask an administrator.";
      default -> "";
    };
  }
}
