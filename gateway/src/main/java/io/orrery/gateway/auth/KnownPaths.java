package io.orrery.gateway.auth;

import io.orrery.core.trial.KeeperPath;
import io.orrery.gateway.http.PlainPage;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The paths that are admitted otherwise than the rest, each matched whole. */
final class KnownPaths {
  private static final Set<String> OPEN =
      Set.of(
          "/health/live",
          "/health/ready",
          Access.SESSION_PATH,
          Access.SET_UP_PATH,
          Access.OPENID_PATH,
          Access.OPENID_CALLBACK,
          Access.LOGIN_PATH,
          Access.SET_UP_PAGE,
          PlainPage.STYLE_PATH,
          PlainPage.THEME_PATH);

  /** The paths at which a trial reports with its own token. */
  private static final Set<String> REPORTS = Set.of("/api/v1/metrics", "/api/v1/metrics/stream");

  /** The paths of NNI's own keeper, which has that token, too. */
  private static final Pattern NNI_KEEPER =
      Pattern.compile("/api/v1/nni-pai/[a-z-]+(/[A-Za-z0-9_-]+){0,2}");

  private static final Pattern TRIAL = Pattern.compile("/trial/[A-Za-z0-9][A-Za-z0-9._-]*");

  /** The path of a dispatcher that the server has started; the secret is checked there. */
  private static final Pattern DISPATCHER = Pattern.compile("/tuner/[0-9a-f]{32}");

  /** The files that a pod fetches; its token is checked there. */
  private static final Pattern POD_FILES = Pattern.compile("/pod-files/[a-z]+/[0-9a-f]+");

  /** The paths that are read by POST. */
  private static final Set<String> SEARCHES =
      Set.of(
          "/api/2.0/mlflow/runs/search",
          "/api/2.0/mlflow/experiments/search",
          "/api/2.0/mlflow/registered-models/get-latest-versions");

  private KnownPaths() {}

  /** Whether a path is open to all. */
  static boolean isOpen(@Nullable String path) {
    return path != null
        && (OPEN.contains(path)
            || TRIAL.matcher(path).matches()
            || POD_FILES.matcher(path).matches()
            || DISPATCHER.matcher(path).matches());
  }

  /** Whether metrics are reported there. */
  static boolean isReport(@Nullable String path) {
    return REPORTS.contains(String.valueOf(path));
  }

  /** Whether a trial may go there with its own token. */
  static boolean takesTrialTokens(@Nullable String path) {
    return path != null
        && (REPORTS.contains(path)
            || KeeperPath.matches(path)
            || NNI_KEEPER.matcher(path).matches());
  }

  /** Whether a request changes nothing: GET and HEAD, but no WebSocket, which carries commands. */
  static boolean reads(HttpServerRequest request) {
    boolean read =
        request.method().equals(HttpMethod.GET)
            || request.method().equals(HttpMethod.HEAD)
            || SEARCHES.contains(String.valueOf(request.path()));
    return read
        && request.headers().getAll(HttpHeaders.UPGRADE).stream()
            .noneMatch(protocol -> protocol.toLowerCase(Locale.ROOT).contains("websocket"));
  }
}
