package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.gateway.ApiDocument.Operation;
import io.orrery.gateway.http.Served;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the published document to what is served, and what is served to the document. */
class ApiDocumentIT {
  private static final String ONE = "/api/v1/experiments/digits01";

  /** Read by people, or by users with an interface of their own. */
  private static final Set<String> NOT_OURS =
      Set.of(
          "/",
          "/assets/{digest}/*",
          "/lib/*",
          "/docs",
          "/style.css",
          "/theme.js",
          "/login",
          "/setup",
          "/trial/{token}",
          "/tuner",
          "/tuner/{secret}",
          "/{prefix}/tuner",
          "/experiments/{experiment}/tuner");

  /** Between a server and the keepers that it hands out. */
  private static final String KEEPERS = "/keeper/";

  /** Between a server and the pods that it makes. */
  private static final String PODS = "/pod-files/";

  /** Makes no request over the bus, and has nothing that could be wrong. */
  private static final String CLUSTER = "/api/v1/cluster";

  /** As {@link #CLUSTER}. */
  private static final String ME = "/api/v1/me";

  /** As {@link #CLUSTER}. */
  private static final String STATUS = "/api/v1/status";

  /** Takes any content. */
  private static final String FILE = "/api/v1/files/ann/new.txt";

  /** NNI's API, which its own documentation describes. */
  private static final String NNI = "/api/v1/nni";

  /** MLflow's API, which its own documentation describes. */
  private static final String MLFLOW = "/api/2.0/mlflow";

  /** Streams without an end; what they tell is checked where they are tested. */
  private static final Set<String> ENDLESS =
      Set.of(
          "connectNotebookSsh",
          "followExperiment",
          "followExperiments",
          "followRoutes",
          "openShell",
          "streamMetrics");

  /** Answered by a server that asks for tokens; checked where those are tested. */
  private static final Set<String> SESSIONS =
      Set.of("getSession", "logIn", "logOut", "setUpAccount", "beginOpenId", "endOpenId");

  /** They need the user's own program; checked where a stand-in for it is. */
  private static final Set<String> PROGRAMS = Set.of("startTensorBoard", "stopTensorBoard");

  /** It needs a home to remember the port in; checked in {@code NniRunnerIT}. */
  private static final String PORT = "openPort";

  private EdgeServer edge;

  @BeforeEach
  void start() throws Exception {
    edge = EdgeServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private List<Served> ours() {
    return edge.table().stream()
        .filter(served -> !served.method().equals("HEAD"))
        .filter(served -> !NOT_OURS.contains(path(served)))
        .filter(served -> !served.path().contains(NNI))
        .filter(served -> !served.path().startsWith(MLFLOW))
        .filter(served -> !served.path().startsWith(KEEPERS))
        .filter(served -> !served.path().startsWith(PODS))
        .toList();
  }

  private static String path(Served served) {
    return served
        .path()
        .replaceAll(":([A-Za-z]+)", "{$1}")
        .replace("/files/{user}/*", "/files/{user}/{path}");
  }

  @Test
  void whatIsServedIsDescribedAndWhatIsDescribedIsServed() {
    assertThat(ours().stream().map(served -> served.method() + " " + path(served)))
        .containsExactlyInAnyOrderElementsOf(
            ApiDocument.THE_ONE.operations().stream().map(Operation::line).toList());
  }

  @Test
  void everyQueryParameterThatIsReadIsDescribedAndTheOtherWayRound() {
    Map<String, Set<String>> read =
        ours().stream()
            .collect(
                Collectors.toMap(
                    served -> served.method() + " " + path(served),
                    served -> new TreeSet<>(served.query())));

    assertThat(ApiDocument.THE_ONE.operations())
        .allSatisfy(operation ->
            assertThat(operation.query())
                .as(operation.line())
                .isEqualTo(read.get(operation.line())));
  }

  @Test
  void aRealAnswerOfEveryOperationIsAsDescribed() throws Exception {
    Set<String> described =
        ApiDocument.THE_ONE.operations().stream().map(Operation::id).collect(Collectors.toSet());
    described.removeAll(ENDLESS);
    described.removeAll(SESSIONS);
    described.removeAll(PROGRAMS);
    described.remove(PORT);
    assertThat(ApiSamples.SAMPLES.keySet()).isEqualTo(described);
    ApiSamples.answerEverything(edge);

    for (ApiSamples.Sample sample : ApiSamples.SAMPLES.values()) {
      // Sending checks the answer against the document.
      var response = edge.send(sample.method(), sample.path(), sample.body());
      assertThat(response.statusCode()).as(sample.toString()).isBetween(200, 299);
    }
  }

  @Test
  void everyProblemIsAsDescribed() throws Exception {
    for (ApiSamples.Sample sample : ApiSamples.SAMPLES.values()) {
      if (sample.path().startsWith("/api/v1/")
          && !Set.of(CLUSTER, ME, STATUS, FILE).contains(sample.path())) {
        // No handler serves the bus: each is a problem, if only ours.
        var response = edge.send(sample.method(), sample.path() + "?limit=0&offset=x", "{");
        assertThat(response.statusCode()).as(sample.toString()).isBetween(400, 599);
        assertThat(response.headers().firstValue("Content-Type"))
            .hasValue("application/problem+json");
      }
    }
  }

  @Test
  void aSchemaRefusesWhatDoesNotFit() {
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> ApiDocument.THE_ONE.check("a trial", "Trial", "{\"id\":1}")))
        .isInstanceOf(AssertionError.class);
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> ApiDocument.THE_ONE.check("a number", "Number", "\"NaNo\"")))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void thePageShowsEveryOperationAndSchemaWithoutAScript() throws Exception {
    var page = edge.get("/docs");

    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    // The one script sets the reader's choice of dark or light; nothing that is read needs it.
    assertThat(page.body().replace("<script src=\"theme.js\"></script>", ""))
        .doesNotContain("<script")
        .doesNotContain("$ref");
    for (Operation operation : ApiDocument.THE_ONE.operations()) {
      assertThat(page.body()).contains("id=\"" + operation.id() + "\"");
    }
    assertThat(page.body()).contains("id=\"schema-Trial\"").contains("href=\"style.css\"");
    assertThat(edge.get("/style.css").headers().firstValue("Content-Type"))
        .hasValue("text/css; charset=utf-8");
  }
}
