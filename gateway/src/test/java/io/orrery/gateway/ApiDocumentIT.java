package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.LongNode;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Rehearsals;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objective;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.ApiDocument.Operation;
import io.orrery.gateway.http.Served;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the published document to what is served, and what is served to the document. */
class ApiDocumentIT {
  private static final String ONE = "/api/v1/experiments/digits01";
  private static final String TRIAL = ONE + "/trials/abcde";

  /** Read by people, or by somebody with an interface of his own. */
  private static final Set<String> NOT_OURS =
      Set.of(
          "/",
          "/assets/{digest}/*",
          "/lib/*",
          "/docs",
          "/style.css",
          "/theme.js",
          "/login",
          "/trial/{token}",
          "/tuner",
          "/tuner/{secret}",
          "/{prefix}/tuner",
          "/experiments/{experiment}/tuner");

  /** Between a server and the keepers that it hands out. */
  private static final String KEEPERS = "/keeper/";

  /** Asks nobody over the bus, and has nothing that could be wrong. */
  private static final String CLUSTER = "/api/v1/cluster";

  /** NNI's API, which its own documentation describes. */
  private static final String NNI = "/api/v1/nni";

  /** Streams without an end; what they tell is checked where they are tested. */
  private static final Set<String> ENDLESS =
      Set.of("followExperiment", "followExperiments", "followRoutes", "streamMetrics");

  /** Answered by a server that asks for tokens; checked where those are tested. */
  private static final Set<String> SESSIONS = Set.of("getSession", "logIn", "logOut");

  /** They need the user's own program; checked where a stand-in for it is. */
  private static final Set<String> PROGRAMS = Set.of("startTensorBoard", "stopTensorBoard");

  /** It needs a home to remember the port in; checked in {@code NniRunnerIT}. */
  private static final String PORT = "openPort";

  private record Sample(String method, String path, String body) {}

  private static final Map<String, Sample> SAMPLES = new LinkedHashMap<>();

  private static void sample(String operation, String method, String path, String body) {
    SAMPLES.put(operation, new Sample(method, path, body));
  }

  static {
    sample("createExperiment", "POST", "/api/v1/experiments", "trialCommand: x");
    sample("rehearse", "POST", "/api/v1/rehearsals?runs=3", "trialCommand: x");
    sample("listExperiments", "GET", "/api/v1/experiments", "");
    sample("getExperiment", "GET", ONE, "");
    sample("changeExperiment", "PATCH", ONE, "{}");
    sample("deleteExperiment", "DELETE", ONE, "");
    sample("stopExperiment", "POST", ONE + "/stop", "");
    sample("pauseExperiment", "POST", ONE + "/pause", "");
    sample("resumeExperiment", "POST", ONE + "/resume", "");
    sample("closePort", "DELETE", ONE + "/port", "");
    sample("exportResults", "GET", ONE + "/export", "");
    sample("importResults", "POST", ONE + "/import", "[]");
    sample("convertConfiguration", "POST", "/api/v1/experiments/convert", "trialCommand: x");
    sample("archiveExperiment", "GET", ONE + "/archive", "");
    sample(
        "restoreExperiment",
        "POST",
        "/api/v1/experiments/restore",
        "{\"format\":\"orrery-experiment/1\",\"id\":\"digits01\",\"status\":\"DONE\","
            + "\"createdAt\":\"2026-01-31T12:00:00Z\"}");
    sample("getPoints", "GET", ONE + "/points", "");
    sample("getFront", "GET", ONE + "/front?limit=10", "");
    sample("listMachines", "GET", ONE + "/machines", "");
    sample("getImportance", "GET", ONE + "/importance", "");
    sample("getSeriesOfMany", "GET", ONE + "/metrics?trials=abcde", "");
    sample("listTrials", "GET", ONE + "/trials?sort=-parameters.lr", "");
    sample("addTrial", "POST", ONE + "/trials", "{}");
    sample("getTrial", "GET", TRIAL, "");
    sample("cancelTrial", "POST", TRIAL + "/cancel", "");
    sample("retryTrial", "POST", TRIAL + "/retry", "");
    sample("getTrialAnnotation", "GET", TRIAL + "/annotation", "");
    sample("changeTrialAnnotation", "PATCH", TRIAL + "/annotation", "{\"tags\":[\"keep\"]}");
    sample("getExperimentAnnotation", "GET", ONE + "/annotation", "");
    sample("changeExperimentAnnotation", "PATCH", ONE + "/annotation", "{\"note\":\"n\"}");
    sample("getSeries", "GET", TRIAL + "/metrics", "");
    sample("getEventFile", "GET", TRIAL + "/tfevents", "");
    sample("listFiles", "GET", TRIAL + "/files", "");
    sample("readFile", "GET", TRIAL + "/file?path=output/model", "");
    sample("listTensorBoards", "GET", ONE + "/tensorboards", "");
    sample("readLog", "GET", TRIAL + "/logs/stdout", "");
    sample(
        "appendMetrics",
        "POST",
        "/api/v1/metrics",
        "{\"trial\":\"digits01/abcde\",\"kind\":\"final\",\"sequence\":0,\"value\":1}");
    sample("listTuners", "GET", "/api/v1/tuners", "");
    sample(
        "registerTuner",
        "POST",
        "/api/v1/tuners",
        "{\"name\":\"walk\",\"kind\":\"tuner\",\"className\":\"walk.Walk\",\"classArgs\":{\"step\":0.1}}");
    sample("unregisterTuner", "DELETE", "/api/v1/tuners/walk", "");
    sample("listPlatforms", "GET", "/api/v1/platforms", "");
    sample("checkPlatform", "POST", "/api/v1/platforms/check", "trialCommand: x");
    sample("getServerLog", "GET", "/api/v1/logs?limit=5", "");
    sample("getRoutes", "GET", "/api/v1/routes", "");
    sample("replaceRoutes", "PUT", "/api/v1/routes", "services: []");
    sample("scrape", "GET", "/metrics", "");
    sample("getCluster", "GET", CLUSTER, "");
    sample("isLive", "GET", "/health/live", "");
    sample("isReady", "GET", "/health/ready", "");
    sample("getDocument", "GET", "/openapi.yaml", "");
  }

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
        .filter(served -> !served.path().startsWith(KEEPERS))
        .toList();
  }

  private static String path(Served served) {
    return served.path().replaceAll(":([A-Za-z]+)", "{$1}");
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
    assertThat(SAMPLES.keySet()).isEqualTo(described);
    answerEverything();

    for (Sample sample : SAMPLES.values()) {
      // Sending checks the answer against the document.
      var response = edge.send(sample.method(), sample.path(), sample.body());
      assertThat(response.statusCode()).as(sample.toString()).isBetween(200, 299);
    }
  }

  @Test
  void everyProblemIsAsDescribed() throws Exception {
    for (Sample sample : SAMPLES.values()) {
      if (sample.path().startsWith("/api/v1/") && !sample.path().equals(CLUSTER)) {
        // Nobody serves the bus: each is a problem, if only ours.
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

  private void answerEverything() throws Exception {
    edge.answer(
        Experiments.CREATE,
        new Experiments.Created(Samples.experiment(), Samples.spec(), List.of("Maximizing.")));
    edge.answer(
        Rehearsals.REHEARSE,
        new Rehearsals.Rehearsed(
            Samples.spec(),
            List.of(
                new Rehearsals.Run(
                    7,
                    ExperimentStatus.DONE,
                    null,
                    Map.of(TrialStatus.SUCCEEDED, 3L),
                    4,
                    90.5,
                    80,
                    new Rehearsals.Best(
                        MetricValue.of(0.5), Samples.trial().current().values(), 60)),
                new Rehearsals.Run(8, ExperimentStatus.FAILED, "why", Map.of(), 0, 0, 0, null)),
            List.of("Odd.")));
    edge.answer(Experiments.LIST, new Experiments.Page(List.of(Samples.experiment()), "more"));
    edge.answer(Experiments.GET, Samples.experiment());
    edge.answer(
        Experiments.CONVERT, new Experiments.Converted("{\"trialCommand\":\"x\"}", List.of("a")));
    edge.answer(Experiments.RESTORE, Samples.experiment());
    edge.answer(Experiments.CHANGE, Samples.experiment());
    edge.answer(Experiments.COMMAND, Samples.experiment());
    edge.answer(
        Experiments.DELETE,
        new Experiments.Deleted(Samples.experiment(), List.of("Objects may be left.")));
    edge.answer(
        Trials.LIST,
        new Trials.Page(
            List.of(
                Samples.trial(),
                Samples.running(null),
                Samples.result(
                    "fghij",
                    2,
                    Map.of("lr", 0.2),
                    new MetricValue(Double.NaN, "{\"default\":\"NaN\",\"loss\":1}"))),
            null,
            3L));
    edge.answer(Trials.GET, Samples.trial());
    edge.answer(Trials.ADD, Samples.running(null));
    edge.answer(Trials.IMPORT, new Trials.Imported(2, 1, List.of("Odd.")));
    edge.answer(Trials.CANCEL, Samples.running(Samples.THEN));
    edge.answer(Trials.RETRY, Samples.running(null));
    edge.answer(Annotations.GET, Annotations.Annotation.NONE);
    edge.answer(
        Annotations.CHANGE,
        new Annotations.Annotation("n", List.of("keep"), Instant.parse("2026-01-31T12:00:00Z")));
    edge.answer(
        TrialKeepers.FILES,
        new TrialKeepers.FileList(List.of(new TrialKeepers.StoredFile("stdout", 4)), false));
    edge.answer(
        TrialKeepers.FILE, new TrialKeepers.Piece("text".getBytes(StandardCharsets.UTF_8), 4, 4));
    edge.answer(
        Trials.READ_LOG, new Trials.LogPiece("text".getBytes(StandardCharsets.UTF_8), 4, true));
    edge.answer(Trials.POINTS, points());
    edge.answer(
        Metrics.SERIES,
        new Metrics.Series(
            List.of(
                point(MetricKind.INTERMEDIATE, 0.5), point(MetricKind.INTERMEDIATE, Double.NaN)),
            point(MetricKind.FINAL, 0.9),
            2));
    edge.answer(
        Metrics.CURVES,
        new Metrics.Curves(
            List.of(
                new Metrics.Curve(
                    1,
                    new long[] {0, 7},
                    new double[] {0.5, Double.NaN},
                    new long[] {0, 5},
                    point(MetricKind.FINAL, 0.9),
                    2))));
    edge.answer(Metrics.SCRAPE, new Metrics.Scraped("up 1.0\n"));
    edge.answer(Metrics.POINTS, new Metrics.Stretch(List.of(), null));
    edge.answer(
        Tuners.LIST,
        new Tuners.Catalogue(
            List.of(
                new Tuners.Algorithm(
                    "TPE",
                    List.of("tpe"),
                    "tuner",
                    "Parzen estimators.",
                    Map.of("uniform", true),
                    false,
                    List.of(new Tuners.Argument("seed", "integer", null, "Of randomness."))))));
    edge.answer(Tuners.REGISTER, new Tuners.Told());
    edge.answer(Tuners.UNREGISTER, new Tuners.Told());
    edge.answer(
        Trials.FRONT,
        new Trials.Front(
            List.of(
                new Objective("accuracy", Direction.MAXIMIZE),
                new Objective("latency", Direction.MINIMIZE)),
            List.of(
                new Trials.FrontMember(
                    new TrialId("abcde"),
                    0,
                    List.of(0.9, 12.5),
                    new Parameters(Map.of("lr", 0.1)))),
            1,
            3));
    edge.answer(
        TrainingServices.MACHINES,
        new TrainingServices.Machines(
            List.of(
                new TrainingServices.Machine(
                    "remote",
                    "me@gpu1:22",
                    null,
                    Instant.EPOCH,
                    Instant.EPOCH,
                    List.of(new TrialId("abcde")),
                    2,
                    1,
                    new TrainingServices.Gpus(
                        Instant.EPOCH,
                        null,
                        List.of(new TrainingServices.Gpu(0, "A100", 40_960L, 1, "odd")),
                        3)),
                new TrainingServices.Machine(
                    "openpai", null, "is away", null, null, List.of(), 0, null, null))));
    edge.answer(
        Tuners.IMPORTANCE,
        new Tuners.Importances(
            List.of(new Tuners.Importance("lr", 0.75), new Tuners.Importance("opt/sgd/m", 0.25)),
            "fanova",
            12,
            14,
            null));
    Routes.Table routes =
        new Routes.Table(
            List.of(
                Json.parse(
                    """
                    {"name": "a", "endpoints": ["127.0.0.1:9001"], "split": "b:20%",
                     "state": {"host": "a.service.orrery.localhost", "inFlight": 0, "endpoints": [
                       {"address": "127.0.0.1:9001", "healthy": true, "answersProbes": true,
                        "ejected": false, "outstanding": 0}],
                       "answers": [{"version": "b", "codes": [0, 3, 0, 0, 1], "times": [4, 0]}],
                       "copies": [{"version": "c", "sent": 4, "dropped": 0, "failed": 1,
                         "divergences": 1, "bodyDivergences": 0, "times": [3, 0]}]}}\
                    """)),
            "2f6b");
    edge.answer(Routes.SHOW, routes);
    edge.answer(Routes.REPLACE, routes);
    edge.answer(
        TrainingServices.CHECK,
        new TrainingServices.Checked(
            "kubeflow",
            List.of(
                TrainingServices.Item.good("API server", "v1.36"),
                TrainingServices.Item.bad("quota", "no room", "ask for more")),
            List.of("Odd.")));
    Option inner = new Option("host", "text", true, null, "where", null, List.of(), List.of());
    edge.answer(
        TrainingServices.LIST,
        new TrainingServices.Catalogue(
            List.of(
                new TrainingServices.Platform(
                    "remote",
                    "Machines over SSH.",
                    "remote.jar",
                    List.of(
                        new Option(
                            "machineList",
                            "list of section",
                            false,
                            LongNode.valueOf(1),
                            "which",
                            "no effect",
                            List.of("a"),
                            List.of(inner))))),
            Map.of("other.jar", "brings no platform")));
  }

  static Trials.Points points() {
    return new Trials.Points(
        7,
        List.of("default", "loss"),
        List.of("abcde", "fghij"),
        List.of(0L, 1L),
        List.of(TrialStatus.SUCCEEDED, TrialStatus.RUNNING),
        both(Double.NaN, null),
        both(0.5, null),
        both(Samples.THEN, null),
        both(1.5, null),
        Map.of("lr", both(0.1, 0.2), "name", both("a", null)));
  }

  private static <T> List<@Nullable T> both(@Nullable T one, @Nullable T other) {
    return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(one, other)));
  }

  private static MetricPoint point(MetricKind kind, double value) {
    return new MetricPoint(
        Samples.ATTEMPT,
        "test",
        0,
        kind,
        0,
        null,
        Samples.THEN.toEpochMilli(),
        MetricValue.of(value));
  }
}
