package io.orrery.gateway;

import com.fasterxml.jackson.databind.node.LongNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.UserName;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.Annotations;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.bus.contract.TrainingServices.Option;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.TrialId;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objective;
import io.orrery.core.problem.Problem;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation of the API, and a module that answers each of them. */
final class ApiSamples {
  private static final String ONE = "/api/v1/experiments/digits01";
  private static final String TRIAL = ONE + "/trials/abcde";
  private static final String CLUSTER = "/api/v1/cluster";
  private static final String ME = "/api/v1/me";
  private static final UserName ANN = new UserName("ann");

  private static final String PROJECT = "/api/v1/projects/vision";

  record Sample(String method, String path, String body) {}

  static final Map<String, Sample> SAMPLES = new LinkedHashMap<>();

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
    sample("getStatus", "GET", "/api/v1/status", "");
    sample("getMe", "GET", ME, "");
    sample("listTokens", "GET", ME + "/tokens", "");
    sample("createToken", "POST", ME + "/tokens", "{\"name\":\"ci\"}");
    sample("revokeToken", "DELETE", ME + "/tokens/ci", "");
    sample("listUsers", "GET", "/api/v1/users", "");
    sample("createUser", "POST", "/api/v1/users", "{\"name\":\"ann\"}");
    sample("getUser", "GET", "/api/v1/users/ann", "");
    sample("changeUser", "PATCH", "/api/v1/users/ann", "{\"active\":false}");
    sample("deleteUser", "DELETE", "/api/v1/users/ann", "");
    sample(
        "setPassword", "POST", "/api/v1/users/bob/password", "{\"password\":\"three red boats\"}");
    sample("listProjects", "GET", "/api/v1/projects", "");
    sample("getProject", "GET", PROJECT, "");
    sample("putProject", "PUT", PROJECT, "{\"title\":\"Vision\"}");
    sample("deleteProject", "DELETE", PROJECT, "");
    sample("listMembers", "GET", PROJECT + "/members", "");
    sample("getMember", "GET", PROJECT + "/members/ann", "");
    sample("putMember", "PUT", PROJECT + "/members/ann", "{\"role\":\"ops\"}");
    sample("removeMember", "DELETE", PROJECT + "/members/ann", "");
    sample("listJoinRequests", "GET", PROJECT + "/join-requests", "");
    sample("askToJoin", "POST", PROJECT + "/join-requests", "{\"message\":\"please\"}");
    sample("acceptJoinRequest", "POST", PROJECT + "/join-requests/ann/accept", "");
    sample("refuseJoinRequest", "POST", PROJECT + "/join-requests/ann/refuse", "");
    List.of(ServiceSamples.ALL, ModelSamples.ALL, PipelineSamples.ALL).forEach(SAMPLES::putAll);
    sample("listAudit", "GET", "/api/v1/audit?user=ann", "");
    sample("exportAudit", "GET", "/api/v1/audit/export?kind=user", "");
    sample("isLive", "GET", "/health/live", "");
    sample("isReady", "GET", "/health/ready", "");
    sample("getDocument", "GET", "/openapi.yaml", "");
  }

  private ApiSamples() {}

  private static void answerPeople(EdgeServer edge) throws Exception {
    var user =
        new People.User(
            ANN,
            "Ann",
            "ann@example.com",
            UserRole.USER,
            true,
            true,
            Samples.THEN,
            Samples.THEN,
            2);
    var token =
        new People.Token(
            "ci", People.Scope.READ, List.of(ProjectName.PUBLIC), Samples.THEN, Samples.THEN);
    var project =
        new Projects.Project(
            new ProjectName("vision"),
            "Vision",
            "{\"org\":\"public\"}",
            "{}",
            "ann",
            Samples.THEN,
            Samples.THEN,
            3);
    var member = new Projects.Member(ANN, "Ann", ProjectRole.OPS, 1);
    var request = new Projects.JoinRequest(ANN, "please", Samples.THEN);
    edge.answer(People.TOKENS, new People.Tokens(List.of(token)));
    edge.answer(People.CREATE_TOKEN, token);
    edge.answer(People.DELETE_TOKEN, new People.Done());
    edge.answer(People.LIST, new People.UserPage(List.of(user), "ann"));
    edge.answer(People.CREATE, new People.CreatedUser(user, Samples.THEN));
    edge.answer(People.GET, user);
    edge.answer(People.CHANGE, user);
    edge.answer(People.DELETE, new People.Done());
    edge.answer(People.SET_PASSWORD, new People.Done());
    edge.answer(Projects.LIST, new Projects.ProjectPage(List.of(project), null, Map.of()));
    edge.answer(Projects.GET, project);
    edge.on(
        Projects.PUT,
        put ->
            put.creates()
                ? Future.failedFuture(new Problem.Conflict("It is there.").toException())
                : Future.succeededFuture(new Projects.PutDone(project, true)));
    edge.answer(Projects.DELETE, new People.Done());
    edge.answer(Projects.MEMBERS, new Projects.Members(List.of(member)));
    edge.answer(Projects.PUT_MEMBER, member);
    edge.answer(Projects.REMOVE_MEMBER, new People.Done());
    edge.answer(Projects.REQUESTS, new Projects.JoinRequests(List.of(request)));
    edge.answer(Projects.ASK, request);
    edge.answer(Projects.ANSWER, new People.Done());
    edge.answer(Audits.LIST, new Audits.EntryPage(List.of(Samples.auditEntry()), null));
  }

  /** Plays all modules with an answer to each request. */
  static void answerEverything(EdgeServer edge) throws Exception {
    edge.answer(
        Experiments.CREATE,
        new Experiments.Created(Samples.experiment(), Samples.spec(), List.of("Maximizing.")));
    edge.answer(
        Simulations.REHEARSE,
        new Simulations.Rehearsed(
            Samples.spec(),
            List.of(
                new Simulations.Run(
                    7,
                    ExperimentStatus.DONE,
                    null,
                    Map.of(TrialStatus.SUCCEEDED, 3L),
                    4,
                    90.5,
                    80,
                    new Simulations.Best(
                        MetricValue.of(0.5), Samples.trial().current().values(), 60)),
                new Simulations.Run(8, ExperimentStatus.FAILED, "why", Map.of(), 0, 0, 0, null)),
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
    answerPeople(edge);
    ServiceSamples.answer(edge);
    ModelSamples.answer(edge);
    PipelineSamples.answer(edge);
    edge.answer(Annotations.GET, Annotations.Annotation.NONE);
    edge.answer(Annotations.SEVERAL, new Annotations.Several(Map.of()));
    edge.answer(
        Annotations.CHANGE,
        new Annotations.Annotation("n", List.of("keep"), Instant.parse("2026-01-31T12:00:00Z")));
    edge.answer(
        TrialKeepers.FILES,
        new TrialKeepers.FileList(List.of(new TrialKeepers.StoredFile("stdout", 4)), false));
    edge.answer(TrialKeepers.FOLDER, new TrialKeepers.Folder(List.of(), null));
    edge.answer(
        TrialKeepers.FILE, new TrialKeepers.Piece("text".getBytes(StandardCharsets.UTF_8), 4, 4));
    edge.answer(
        Trials.READ_LOG, new Trials.LogPiece("text".getBytes(StandardCharsets.UTF_8), 4, true));
    edge.answer(Trials.POINTS, Samples.points());
    edge.answer(
        Metrics.SERIES,
        new Metrics.Series(
            List.of(
                Samples.point(MetricKind.INTERMEDIATE, 0.5),
                Samples.point(MetricKind.INTERMEDIATE, Double.NaN)),
            Samples.point(MetricKind.FINAL, 0.9),
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
                    Samples.point(MetricKind.FINAL, 0.9),
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
        new Trials.ParetoFront(
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
                    {"name": "a", "endpoints": ["127.0.0.1:9001"], "access": {"audience": "a", "epoch": 1},
                     "layer": "table", "state": {"host": "a.service.orrery.localhost", "inFlight": 0, "held": 0, "endpoints": [
                       {"address": "127.0.0.1:9001", "healthy": true, "answersProbes": true,
                        "ejected": false, "outstanding": 0}],
                       "departed": [{"endpoint": "127.0.0.1:9000", "outstanding": 1}],
                       "answers": [{"version": "b", "codes": [0, 3, 0, 0, 1], "times": [4, 0]}],
                       "copies": [{"version": "c", "sent": 4, "dropped": 0, "failed": 1,
                         "divergences": 1, "bodyDivergences": 0, "times": [3, 0]}]}}\
                    """)),
            List.of(
                Json.parse(
                    "{\"service\": \"z\", \"endpoint\": \"127.0.0.1:9\", \"outstanding\": 2}")),
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
}
