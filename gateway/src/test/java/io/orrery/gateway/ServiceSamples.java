package io.orrery.gateway;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.Domains;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.RouteReports;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceShare;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadStatus;
import io.orrery.gateway.ApiSamples.Sample;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation about services and workloads, and a module that answers each. */
final class ServiceSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  /** The operations that all members of a project may use, and no other. */
  static final List<String> SEEN =
      List.of(
          "listServiceShadows",
          "getServiceTraffic",
          "getDomain",
          "listDomainShadows",
          "getDomainTraffic");

  /** The operations that steer rollouts, for all who operate in a project. */
  static final List<String> STEERED =
      List.of(
          "pauseRollout",
          "resumeRollout",
          "promoteRollout",
          "abortRollout",
          "pauseUpgrade",
          "resumeUpgrade",
          "promoteUpgrade",
          "abortUpgrade");

  private static final String SERVICE = "/api/v1/services/hello";
  private static final String DOMAIN = "/api/v1/domains/www.service.orrery.localhost";
  private static final String SERVICE_DOCUMENT =
      "{\"name\":\"hello\",\"project\":\"vision\",\"command\":\"serve\",\"ports\":[8080]}";

  static {
    sample("listServices", "GET", "/api/v1/services?project=vision", "");
    sample("createService", "POST", "/api/v1/services", SERVICE_DOCUMENT);
    sample("getService", "GET", SERVICE, "");
    sample("putService", "PUT", SERVICE, SERVICE_DOCUMENT);
    sample("patchService", "PATCH", SERVICE, "{\"replicas\":2}");
    sample("deleteService", "DELETE", SERVICE, "");
    sample("deployService", "POST", SERVICE + "/deploy", "{\"stage\":\"test\"}");
    sample("clearService", "POST", SERVICE + "/clear", "");
    sample("restartService", "POST", SERVICE + "/restart", "");
    sample("scaleService", "POST", SERVICE + "/scale", "{\"replicas\":2}");
    sample("rollbackService", "POST", SERVICE + "/rollback", "{\"revision\":1}");
    sample("listServiceRevisions", "GET", SERVICE + "/revisions", "");
    sample("listServiceEvents", "GET", SERVICE + "/events", "");
    sample("listServiceScalings", "GET", SERVICE + "/scalings", "");
    sample("listDomains", "GET", "/api/v1/domains", "");
    sample("listServiceShadows", "GET", SERVICE + "/shadows", "");
    sample("getServiceTraffic", "GET", SERVICE + "/traffic", "");
    sample("getDomain", "GET", DOMAIN, "");
    sample("listDomainShadows", "GET", DOMAIN + "/shadows", "");
    sample("getDomainTraffic", "GET", DOMAIN + "/traffic", "");
    sample("putDomain", "PUT", DOMAIN, "{\"backends\":[{\"service\":\"hello\",\"percent\":100}]}");
    sample("pauseRollout", "POST", DOMAIN + "/rollout/pause", "");
    sample("resumeRollout", "POST", DOMAIN + "/rollout/resume", "");
    sample("promoteRollout", "POST", DOMAIN + "/rollout/promote", "");
    sample("abortRollout", "POST", DOMAIN + "/rollout/abort", "");
    sample("pauseUpgrade", "POST", SERVICE + "/rollout/pause", "");
    sample("resumeUpgrade", "POST", SERVICE + "/rollout/resume", "");
    sample("promoteUpgrade", "POST", SERVICE + "/rollout/promote", "");
    sample("abortUpgrade", "POST", SERVICE + "/rollout/abort", "");
    sample("getServiceLog", "GET", SERVICE + "/logs?replica=2-0", "");
    sample("findCode", "GET", "/api/v1/code/ab", "");
    sample("uploadCode", "PUT", "/api/v1/code/ab", "x");
    sample("listWorkloads", "GET", "/api/v1/workloads", "");
    sample("getWorkload", "GET", "/api/v1/workloads/service-hello", "");
    ALL.putAll(NotebookSamples.ALL);
    ALL.putAll(ProjectUseSamples.ALL);
    ALL.putAll(RegistrySamples.ALL);
    sample("createTicket", "POST", "/api/v1/routes/a/ticket", "");
  }

  private ServiceSamples() {}

  private static void sample(String operation, String method, String path, String body) {
    ALL.put(operation, new Sample(method, path, body));
  }

  private static List<RouteReports.ShadowDifference> differences() {
    RouteReports.BodyDifference body =
        new RouteReports.BodyDifference(
            5, "{\"a\":1}", "{\"a\":2}", List.of(new RouteReports.JsonDifference("/a", "1", null)));
    return List.of(
        new RouteReports.ShadowDifference(
            "status", Samples.THEN, "GET /", 200, 500, 900, 800, null, null, null),
        new RouteReports.ShadowDifference(
            "body", Samples.THEN, "GET /", 200, 200, 900, 800, 7L, 7L, body));
  }

  static void answer(EdgeServer edge) throws Exception {
    NotebookSamples.answer(edge);
    ProjectUseSamples.answer(edge);
    RegistrySamples.answer(edge);
    ServiceName hello = new ServiceName("hello");
    ProjectName vision = new ProjectName("vision");
    WorkloadRef ref = WorkloadRef.parse("service/hello");
    var replica =
        new Replica(
            new ReplicaRef(ref, 2, 0),
            ReplicaPhase.BACKOFF,
            "it ended with exit code 3",
            Map.of("http0", "127.0.0.1:31001"),
            1,
            3,
            List.of("no model"),
            Samples.THEN);
    var workload =
        new Workloads.Workload(
            ref,
            vision,
            "ann",
            Workloads.HERE,
            2,
            1,
            WorkloadStatus.FAILED,
            "replica 2-0: it ended with exit code 3",
            List.of(replica),
            Samples.THEN,
            true,
            0,
            null);
    var rollout =
        new Domains.Rollout(
            RolloutState.STEP,
            1,
            4,
            hello,
            "step 1 of 4: hello gets 5 %",
            Samples.THEN,
            List.of(5, 25, 50, 100),
            List.of("errors < 1 %"),
            List.of(new Domains.StepTime(0, Samples.THEN), new Domains.StepTime(1, Samples.THEN)),
            Samples.THEN);
    var domain =
        new Domains.Domain(
            "www.service.orrery.localhost",
            vision,
            "ann",
            List.of(new ServiceShare(hello, 100)),
            List.of(new ServiceShare(hello, 5)),
            List.of(hello),
            rollout,
            3,
            Samples.THEN);
    var service =
        new Services.Service(
            hello,
            vision,
            "ann",
            SERVICE_DOCUMENT,
            Samples.THEN,
            Samples.THEN,
            4,
            List.of(
                new Services.Stage(
                    ServiceStage.PRODUCTION, 2, 4, 1, Samples.THEN, workload, List.of(), null)),
            null,
            new Services.Upgrading(2, 1, rollout, true));
    edge.answer(Services.LIST, new Services.ServicePage(List.of(service), null));
    edge.answer(Services.GET, service);
    edge.on(
        Services.PUT,
        put ->
            Future.succeededFuture(
                new Services.PutDone(
                    service,
                    put.creates() ? Services.Outcome.CREATED : Services.Outcome.CHANGED,
                    List.of("Odd."))));
    edge.answer(Services.DELETE, new People.Done());
    edge.answer(Services.DEPLOY, service);
    edge.answer(Services.CLEAR, service);
    edge.answer(Services.RESTART, service);
    edge.answer(Services.SCALE, service);
    edge.answer(Services.STEER, service);
    edge.answer(
        Services.REVISIONS,
        new Services.Revisions(
            List.of(new Services.Revision(1, Samples.THEN, "ann", SERVICE_DOCUMENT))));
    edge.answer(
        Services.SCALINGS,
        new Services.Scalings(
            List.of(new Services.Scaling(Samples.THEN, 1, 3, "380.0 requests/s of 100 each"))));
    edge.answer(
        RouteReports.SHADOWS,
        new RouteReports.Shadows(
            List.of(
                new RouteReports.ShadowReport(
                    "hello", "hello-2", 4, 1, 1, 1, 1, 1, 2, 3, 4, differences()))));
    edge.answer(
        RouteReports.CURVES,
        new RouteReports.Curves(
            10,
            List.of(
                new RouteReports.Curve(
                    "hello", List.of(new RouteReports.Point(10_000, 5, 1, 1.5, 2.5))))));
    edge.answer(Domains.LIST, new Domains.DomainList(List.of(domain)));
    edge.answer(Domains.GET, domain);
    edge.answer(Domains.PUT, domain);
    edge.answer(Domains.STEER, domain);
    edge.answer(CodeBundles.FIND, new CodeBundles.Found(true));
    edge.answer(CodeBundles.ADD_PART, new People.Done());
    edge.answer(CodeBundles.COMMIT, new People.Done());
    edge.answer(Workloads.LIST, new Workloads.Listed(List.of(workload)));
    edge.answer(Workloads.GET, workload);
    edge.answer(
        Workloads.EVENTS,
        new Workloads.Events(
            List.of(new Workloads.Event(1, Samples.THEN, replica.ref(), "BACKOFF", "why"))));
    edge.answer(
        Workloads.READ_LOG, new Trials.LogPiece("hi".getBytes(StandardCharsets.UTF_8), 2, true));
  }
}
