package io.orrery.gateway.auth;

import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.PlainPage;
import io.orrery.gateway.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/**
 * The form at {@code /setup}, where a user sets the first password. The code of the set-up link is
 * pasted: in an address it would stand in logs.
 */
final class SetUpPage {
  static final String DONE = PlainPage.from(Access.SET_UP_PATH, "login");

  private static final String PAGE_BEGINS =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Orrery: set up an account</title>
      """
          + PlainPage.STYLE
          + "</head>\n<body>\n"
          + PlainPage.TOP
          + """
          <main class="login"><form method="post" action="api/v1/session/setup" class="card">
          <h1>Set up your account</h1>
          """;

  private static final String PAGE_ENDS =
      """
      <label class="field"><span>Code of the set-up link</span>
      <input name="code" autocomplete="off" required></label>
      <label class="field"><span>User name (for the first administrator)</span>
      <input name="user" autocomplete="username" autocapitalize="none"></label>
      <label class="field"><span>New password, at least 8 characters</span>
      <input name="password" type="password" autocomplete="new-password" minlength="8" required></label>
      <button class="primary">Set password</button>
      </form></main>
      </body></html>
      """;

  /** The sentence of the form for each word behind its address. */
  private static final Map<String, String> FAULTS =
      Map.of(
          "code", "This code has been used, or has ended: ask an administrator for a new one.",
          "busy", "Too many failed attempts; wait a minute.",
          "user", "A user name has 2 to 50 lower-case letters, digits and -, a letter first.",
          "password",
              "A password has at least 8 characters, and is not a name or one of those that are"
                  + " tried first.");

  private SetUpPage() {}

  static void show(RoutingContext context) {
    String fault = FAULTS.get(String.valueOf(context.request().query()));
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        .putHeader("Referrer-Policy", "same-origin")
        .end(
            PAGE_BEGINS
                + (fault == null ? "" : "<p class=\"fault\" role=\"alert\">" + fault + "</p>\n")
                + PAGE_ENDS);
  }

  /** The form again, with what went wrong. */
  static Future<Reply> again(Throwable failure) {
    Problem problem = Problem.of(failure);
    String word =
        switch (problem) {
          case Problem.Unauthorized ignored -> "code";
          case Problem.Busy ignored -> "busy";
          case Problem.Refused refused ->
              refused.findings().stream().anyMatch(finding -> finding.pointer().equals("/user"))
                  ? "user"
                  : "password";
          case Problem.Conflict ignored -> "code";
          case Problem.NotFound ignored -> "code";
          case Problem.Forbidden ignored -> "";
          case Problem.TooLarge ignored -> "";
          case Problem.Unavailable ignored -> "";
          case Problem.Broken ignored -> "";
        };
    return word.isEmpty()
        ? Future.failedFuture(failure)
        : Future.succeededFuture(
            new Reply(303, null, PlainPage.from(Access.SET_UP_PATH, "setup?" + word)));
  }
}
