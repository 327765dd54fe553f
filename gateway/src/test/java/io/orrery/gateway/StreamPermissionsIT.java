package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Served;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls as every role the operations that {@link RoutePermissionsIT} has no sample of: streams,
 * WebSockets, and those that need a program or the home of a server.
 */
@Timeout(300)
class StreamPermissionsIT {
  private static final String ONE = "/api/v1/experiments/digits01";
  private static final Set<String> ALL = RoutePermissionsIT.CALLERS.keySet();
  private static final Set<String> READERS =
      Set.of("admin", "creator", "ops", "owner", "member", "viewer");

  /** Operations by which a caller signs in, and sees whether that is so: they ask for nothing. */
  private static final Set<String> OPEN =
      Set.of("getSession", "logIn", "logOut", "setUpAccount", "beginOpenId", "endOpenId");

  /** A WebSocket that {@link RoutePermissionsIT} opens. */
  private static final String SHELL = "openShell";

  /**
   * A call of an operation.
   *
   * @param hidden whether a stranger is told that there is no such thing
   * @param socket whether it becomes a WebSocket
   */
  private record Call(
      String method,
      String path,
      String body,
      Set<String> allowed,
      boolean hidden,
      boolean socket) {}

  private static final Map<String, Call> CALLS = new LinkedHashMap<>();

  static {
    CALLS.put("followExperiment", stream(ONE + "/events", READERS, true));
    CALLS.put("followExperiments", stream("/api/v1/events", ALL, false));
    CALLS.put("followRoutes", stream("/api/v1/routes/events", Set.of("admin"), false));
    CALLS.put(
        "openPort",
        new Call(
            "PUT",
            ONE + "/port?dryRun=true",
            "{\"port\": 40123}",
            Set.of("admin", "creator", "owner"),
            true,
            false));
    CALLS.put(
        "startTensorBoard",
        new Call(
            "POST",
            ONE + "/tensorboards?dryRun=true",
            "{\"trials\": [\"abcde\"]}",
            Set.of("admin"),
            false,
            false));
    CALLS.put(
        "stopTensorBoard",
        new Call("DELETE", ONE + "/tensorboards/b1", "", Set.of("admin"), false, false));
    CALLS.put(
        "streamMetrics", new Call("GET", "/api/v1/metrics/stream", "", Set.of(), false, true));
    CALLS.put(
        "connectNotebookSsh",
        new Call("GET", "/api/v1/notebooks/ann-1/ssh", "", Set.of("owner"), true, true));
  }

  private static Call stream(String path, Set<String> allowed, boolean hidden) {
    return new Call("GET", path, "", allowed, hidden, false);
  }

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.withUsers(RoutePermissionsIT.CALLERS, List.of());
    edge.answer(Experiments.OWNERSHIP, new ResourceOwner(RoutePermissionsIT.VISION, "ann"));
    ApiSamples.answerEverything(edge);
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void everyOperationOfTheDocumentIsCalledAsEveryRoleSomewhere() {
    Set<String> called = new TreeSet<>(ApiSamples.SAMPLES.keySet());
    called.addAll(CALLS.keySet());
    called.addAll(OPEN);
    called.add(SHELL);

    assertThat(ApiDocument.THE_ONE.operations().stream().map(ApiDocument.Operation::id))
        .containsExactlyInAnyOrderElementsOf(called);
  }

  @Test
  void whatHasNoOrdinaryAnswerIsForItsRolesAloneAsWell() throws Exception {
    for (Map.Entry<String, Call> each : CALLS.entrySet()) {
      Call call = each.getValue();
      for (String role : ALL) {
        int status = call.socket() ? upgrade(call, role) : send(call, role);
        if (call.allowed().contains(role)) {
          assertThat(status).as("%s as %s", each.getKey(), role).isNotIn(401, 403);
        } else {
          assertThat(status)
              .as("%s as %s", each.getKey(), role)
              .isEqualTo(call.hidden() && role.equals("stranger") ? 404 : 403);
        }
      }
      assertThat(call.socket() ? upgrade(call, null) : send(call, null))
          .as("%s without a secret", each.getKey())
          .isEqualTo(401);
    }
  }

  @Test
  void onlyHealthAndTheWayToSignInAreOpen() {
    Set<String> open = new TreeSet<>();
    for (ApiDocument.Operation operation : ApiDocument.THE_ONE.operations()) {
      edge.table().stream()
          .filter(served -> served.method().equals(operation.method()))
          .filter(served -> path(served).equals(operation.path()))
          .filter(served -> served.need() == RouteNeed.OPEN)
          .forEach(served -> open.add(operation.id()));
    }
    assertThat(open).containsAll(OPEN);
    open.removeAll(OPEN);

    assertThat(open).containsExactlyInAnyOrder("isLive", "isReady");
  }

  private static String path(Served served) {
    return served.path().replaceAll(":([A-Za-z]+)", "{$1}");
  }

  private int send(Call call, @Nullable String role) throws Exception {
    var request =
        edge.request(call.path())
            .method(
                call.method(),
                call.body().isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(call.body()));
    if (role != null) {
      request.header("Authorization", "Bearer " + role);
    }
    // A stream has no end: its head is enough.
    HttpResponse<InputStream> answer =
        edge.client().send(request.build(), BodyHandlers.ofInputStream());
    answer.body().close();
    return answer.statusCode();
  }

  /** The status by which a WebSocket is refused; 101 when it opens. */
  private int upgrade(Call call, @Nullable String role) {
    WebSocket.Builder builder =
        edge.client().newWebSocketBuilder().connectTimeout(Duration.ofSeconds(30));
    if (role != null) {
      builder.header("Authorization", "Bearer " + role);
    }
    String url = edge.request(call.path()).build().uri().toString().replaceFirst("http", "ws");
    try {
      builder.buildAsync(URI.create(url), new WebSocket.Listener() {}).join().abort();
      return 101;
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(WebSocketHandshakeException.class);
      return ((WebSocketHandshakeException) e.getCause()).getResponse().statusCode();
    }
  }
}
