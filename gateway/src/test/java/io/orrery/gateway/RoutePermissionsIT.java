package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.gateway.ApiSamples.Sample;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.http.Served;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls every operation of the API document as every role. The experiment of the samples belongs to
 * the project {@code vision} and to Ann, who is its member.
 */
class RoutePermissionsIT {
  static final ProjectName VISION = new ProjectName("vision");

  static final Map<String, Caller> CALLERS = new LinkedHashMap<>();

  static {
    CALLERS.put("admin", new Caller("root", UserRole.ADMIN, Caller.Kind.PERSON, Map.of(), false));
    CALLERS.put("creator", person("cleo", ProjectRole.CREATOR));
    CALLERS.put("ops", person("otto", ProjectRole.OPS));
    CALLERS.put("owner", person("ann", ProjectRole.MEMBER));
    CALLERS.put("member", person("mia", ProjectRole.MEMBER));
    CALLERS.put("viewer", person("vic", ProjectRole.VIEWER));
    CALLERS.put("stranger", person("sam", null));
  }

  /** Operations that are about a project or a user, with the roles that they are allowed to. */
  private static final Map<String, Set<String>> BY_HANDLER = new TreeMap<>();

  static {
    Set<String> all = CALLERS.keySet();
    Set<String> inProject = Set.of("admin", "creator", "ops", "owner", "member", "viewer");
    Set<String> managers = Set.of("admin", "creator");
    BY_HANDLER.put("listExperiments", all);
    BY_HANDLER.put("createExperiment", all);
    BY_HANDLER.put("restoreExperiment", all);
    BY_HANDLER.put("listTokens", all);
    BY_HANDLER.put("createToken", all);
    BY_HANDLER.put("revokeToken", all);
    BY_HANDLER.put("setPassword", Set.of("admin"));
    BY_HANDLER.put("listProjects", all);
    BY_HANDLER.put("getProject", inProject);
    BY_HANDLER.put("putProject", managers);
    BY_HANDLER.put("listMembers", inProject);
    BY_HANDLER.put("getMember", inProject);
    ProjectUseSamples.SEEN.forEach(operation -> BY_HANDLER.put(operation, inProject));
    BY_HANDLER.put("listUsage", all);
    BY_HANDLER.put("exportUsage", all);
    BY_HANDLER.put("listGpus", all);
    BY_HANDLER.put("putSecret", Set.of("admin", "creator", "ops"));
    BY_HANDLER.put("deleteSecret", Set.of("admin", "creator", "ops"));
    BY_HANDLER.put("putMember", managers);
    // Ann leaves by herself.
    BY_HANDLER.put("removeMember", Set.of("admin", "creator", "owner"));
    BY_HANDLER.put("listJoinRequests", managers);
    BY_HANDLER.put("askToJoin", all);
    BY_HANDLER.put("acceptJoinRequest", managers);
    BY_HANDLER.put("refuseJoinRequest", managers);
    Set<String> changers = Set.of("admin", "creator", "owner");
    Set<String> operators = Set.of("admin", "creator", "ops", "owner");
    BY_HANDLER.put("listServices", all);
    BY_HANDLER.put("createService", Set.of("admin", "creator", "owner", "member"));
    BY_HANDLER.put("getService", inProject);
    BY_HANDLER.put("putService", changers);
    BY_HANDLER.put("patchService", changers);
    BY_HANDLER.put("deleteService", changers);
    BY_HANDLER.put("deployService", changers);
    BY_HANDLER.put("clearService", operators);
    BY_HANDLER.put("restartService", operators);
    BY_HANDLER.put("scaleService", operators);
    BY_HANDLER.put("rollbackService", changers);
    BY_HANDLER.put("listServiceRevisions", inProject);
    BY_HANDLER.put("listServiceEvents", inProject);
    BY_HANDLER.put("listServiceScalings", inProject);
    ServiceSamples.SEEN.forEach(operation -> BY_HANDLER.put(operation, inProject));
    BY_HANDLER.put("listDomains", all);
    BY_HANDLER.put("putDomain", operators);
    ServiceSamples.STEERED.forEach(operation -> BY_HANDLER.put(operation, operators));
    BY_HANDLER.put("getServiceLog", inProject);
    BY_HANDLER.put("listNotebooks", all);
    BY_HANDLER.put("createNotebook", Set.of("admin", "creator", "owner", "member"));
    BY_HANDLER.put("getNotebook", inProject);
    BY_HANDLER.put("putNotebook", changers);
    BY_HANDLER.put("deleteNotebook", changers);
    BY_HANDLER.put("startNotebook", operators);
    BY_HANDLER.put("stopNotebook", operators);
    BY_HANDLER.put("resetNotebook", operators);
    BY_HANDLER.put("renewNotebook", operators);
    BY_HANDLER.put("listNotebookEvents", inProject);
    BY_HANDLER.put("getNotebookLog", inProject);
    // Not even an administrator: what runs there runs as its owner.
    BY_HANDLER.put("enterNotebook", Set.of("owner"));
    Set<String> creators = Set.of("admin", "creator", "owner", "member");
    BY_HANDLER.putAll(RegistrySamples.ALLOWED);
    BY_HANDLER.put("listModels", all);
    BY_HANDLER.put("createModel", creators);
    BY_HANDLER.put("getModel", inProject);
    BY_HANDLER.put("putModel", changers);
    BY_HANDLER.put("deleteModel", changers);
    BY_HANDLER.put("listModelVersions", inProject);
    BY_HANDLER.put("registerModelVersion", creators);
    BY_HANDLER.put("deployModelVersion", changers);
    BY_HANDLER.put("getModelVersion", inProject);
    BY_HANDLER.put("changeModelVersion", changers);
    BY_HANDLER.put("deleteModelVersion", changers);
    BY_HANDLER.put("listModelFiles", inProject);
    BY_HANDLER.put("readModelFile", inProject);
    BY_HANDLER.put("setModelAlias", changers);
    BY_HANDLER.put("dropModelAlias", changers);
    BY_HANDLER.put("listTemplates", all);
    BY_HANDLER.put("getTemplate", inProject);
    BY_HANDLER.put("putTemplate", changers);
    BY_HANDLER.put("deleteTemplate", changers);
    BY_HANDLER.put("checkArguments", inProject);
    BY_HANDLER.put("listPipelines", all);
    BY_HANDLER.put("getPipeline", inProject);
    BY_HANDLER.put("putPipeline", changers);
    BY_HANDLER.put("deletePipeline", changers);
    BY_HANDLER.put("listPipelineVersions", inProject);
    BY_HANDLER.put("getPipelineAdvice", inProject);
    BY_HANDLER.put("checkPipeline", changers);
    BY_HANDLER.put("runPipeline", changers);
    BY_HANDLER.put("exportPipeline", inProject);
    BY_HANDLER.put("runTask", changers);
    BY_HANDLER.put("debugTask", changers);
    BY_HANDLER.put("clearTask", changers);
    BY_HANDLER.put("getTaskLog", inProject);
    BY_HANDLER.put("deleteRun", changers);
    BY_HANDLER.put("listRuns", all);
    BY_HANDLER.put("getRun", inProject);
    BY_HANDLER.put("stopRun", operators);
    BY_HANDLER.put("pauseRun", operators);
    BY_HANDLER.put("resumeRun", operators);
    BY_HANDLER.put("retryRun", operators);
    BY_HANDLER.put("approveStep", operators);
    BY_HANDLER.put("refuseStep", operators);
    BY_HANDLER.put("getRunEvents", inProject);
    BY_HANDLER.put("compareRuns", inProject);
    BY_HANDLER.put("getRunLineage", inProject);
    BY_HANDLER.put("getStep", inProject);
    BY_HANDLER.put("getStepLog", inProject);
    BY_HANDLER.put("getArtifact", inProject);
    BY_HANDLER.put("listSchedules", all);
    BY_HANDLER.put("getSchedule", inProject);
    BY_HANDLER.put("putSchedule", changers);
    BY_HANDLER.put("deleteSchedule", changers);
    BY_HANDLER.put("previewSchedule", inProject);
    BY_HANDLER.put("backfillSchedule", changers);
    BY_HANDLER.put("pauseSchedule", operators);
    BY_HANDLER.put("resumeSchedule", operators);
    BY_HANDLER.put("listDueRuns", all);
    BY_HANDLER.put("getDueRun", inProject);
    BY_HANDLER.put("skipDueRun", operators);
    BY_HANDLER.put("againDueRun", operators);
    // Nor the files of a person, which are hidden from all others.
    WorkspaceSamples.ALL.keySet().forEach(each -> BY_HANDLER.put(each, Set.of("owner")));
    BY_HANDLER.put("listWorkloads", all);
    BY_HANDLER.put("getWorkload", inProject);
  }

  private EdgeServer edge;

  private static Caller person(String name, ProjectRole role) {
    Map<ProjectName, ProjectRole> roles = new LinkedHashMap<>();
    roles.put(ProjectName.PUBLIC, ProjectRole.MEMBER);
    if (role != null) {
      roles.put(VISION, role);
    }
    return new Caller(name, UserRole.USER, Caller.Kind.PERSON, roles, false);
  }

  @BeforeEach
  void start() throws Exception {
    edge =
        EdgeServer.withUsers(
            CALLERS,
            List.of(
                AccessToken.of("wall", UserRole.VIEWER, new BearerToken("wall")),
                AccessToken.of("ci", UserRole.ADMIN, new BearerToken("ci"))));
    edge.answer(Experiments.OWNERSHIP, new ResourceOwner(VISION, "ann"));
    ApiSamples.answerEverything(edge);
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  @Test
  void everyOperationIsAllowedToItsRolesAloneAndHiddenFromStrangers() throws Exception {
    for (Map.Entry<String, Sample> sample : ApiSamples.SAMPLES.entrySet()) {
      for (String role : CALLERS.keySet()) {
        int status = send(sample.getValue(), role).statusCode();
        Set<String> allowed = allowed(sample.getKey(), need(sample.getValue()));
        if (allowed.contains(role)) {
          assertThat(status).as("%s as %s", sample.getKey(), role).isBetween(200, 299);
        } else {
          assertThat(status)
              .as("%s as %s", sample.getKey(), role)
              .isIn(hides(sample.getValue(), role) ? List.of(404, 409) : List.of(403));
        }
      }
    }
  }

  @Test
  void aShellIsOpenedForThoseWhoMayRestartTheWorkloadAlone() throws Exception {
    String url = edge.request("/api/v1/workloads/service-hello/shell").build().uri().toString();
    for (String role : CALLERS.keySet()) {
      var socket =
          edge.client()
              .newWebSocketBuilder()
              .header("Authorization", "Bearer " + role)
              .buildAsync(URI.create(url.replaceFirst("http", "ws")), new WebSocket.Listener() {});
      if (Set.of("admin", "creator", "ops", "owner").contains(role)) {
        assertThat(socket).as(role).succeedsWithin(Duration.ofSeconds(30));
      } else {
        assertThatThrownBy(socket::join)
            .as(role)
            .cause()
            .isInstanceOfSatisfying(
                WebSocketHandshakeException.class,
                refused ->
                    assertThat(refused.getResponse().statusCode())
                        .isEqualTo(role.equals("stranger") ? 404 : 403));
      }
    }
  }

  @Test
  void withoutASecretOnlyHealthIsTold() throws Exception {
    for (Map.Entry<String, Sample> sample : ApiSamples.SAMPLES.entrySet()) {
      int status = send(sample.getValue(), null).statusCode();
      if (need(sample.getValue()) == RouteNeed.OPEN) {
        assertThat(status).as(sample.getKey()).isEqualTo(200);
      } else {
        assertThat(status).as(sample.getKey()).isEqualTo(401);
      }
    }
  }

  @Test
  void serviceAccountsKeepTheirRolesBesideUsers() throws Exception {
    Sample report = ApiSamples.SAMPLES.get("appendMetrics");
    Sample read = ApiSamples.SAMPLES.get("getExperiment");
    Sample stop = ApiSamples.SAMPLES.get("stopExperiment");

    assertThat(send(report, "ci").statusCode()).isEqualTo(200);
    assertThat(send(report, "wall").statusCode()).isEqualTo(403);
    assertThat(send(read, "wall").statusCode()).isEqualTo(200);
    assertThat(send(stop, "wall").statusCode()).isEqualTo(403);
    assertThat(send(stop, "ci").statusCode()).isEqualTo(200);
  }

  @Test
  void anUnknownSecretOpensNothing() throws Exception {
    for (Map.Entry<String, Sample> sample : ApiSamples.SAMPLES.entrySet()) {
      if (need(sample.getValue()) != RouteNeed.OPEN) {
        // Busy after some, since guesses are slowed down; 403 where no user may.
        assertThat(send(sample.getValue(), "no such secret").statusCode())
            .as(sample.getKey())
            .isIn(401, 403, 429);
      }
    }
  }

  /** A stranger does not learn that an object is there; 409 where the name is taken. */
  private boolean hides(Sample sample, String role) {
    boolean named =
        sample.path().contains("/experiments/digits01")
            || sample.path().contains("/projects/vision")
            || sample.path().contains("/services")
            || sample.path().contains("/notebooks")
            || sample.path().contains("/templates/")
            || sample.path().contains("/pipelines/")
            || sample.path().contains("/runs/")
            || sample.path().contains("/due-runs/")
            || sample.path().contains("/domains/")
            || sample.path().contains("/registries/")
            || sample.path().contains("/builds/")
            || sample.path().endsWith("/images")
            || sample.path().contains("/images/")
            || sample.path().contains("/models")
            || sample.path().contains("/workloads/service-hello");
    return (role.equals("stranger") && named && !ofServer(need(sample)))
        || sample.path().startsWith("/api/v1/files/")
        || sample.path().startsWith("/api/v1/file-places/");
  }

  /** Says whether an administrator is asked for, whichever object is named. */
  private static boolean ofServer(RouteNeed need) {
    return need == RouteNeed.SERVER || need == RouteNeed.ADMIN;
  }

  private Set<String> allowed(String operation, RouteNeed need) {
    return switch (need) {
      case OPEN, CALLER -> CALLERS.keySet();
      case ATTEMPT -> Set.of();
      case SERVER, ADMIN -> Set.of("admin");
      case READ -> Set.of("admin", "creator", "ops", "owner", "member", "viewer");
      case OPERATE -> Set.of("admin", "creator", "ops", "owner");
      case CHANGE -> Set.of("admin", "creator", "owner");
      case OWN, CHECKED, STUDIO -> BY_HANDLER.get(operation);
    };
  }

  private RouteNeed need(Sample sample) {
    String path = sample.path().replaceAll("\\?.*", "");
    return edge.table().stream()
        .filter(served -> served.method().equals(sample.method()))
        .filter(served -> matches(served, path))
        .findFirst()
        .orElseThrow(() -> new AssertionError(sample.toString()))
        .need();
  }

  private static boolean matches(Served served, String path) {
    return path.matches(served.path().replaceAll(":[A-Za-z]+", "[^/]+").replace("*", ".*"));
  }

  private HttpResponse<String> send(Sample sample, String secret) throws Exception {
    var request =
        edge.request(sample.path())
            .method(
                sample.method(),
                sample.body().isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(sample.body()));
    if (secret != null) {
      request.header("Authorization", "Bearer " + secret);
    }
    return edge.client().send(request.build(), BodyHandlers.ofString());
  }

  // ---- the documentation -----------------------------------------------------------------------

  @Test
  void theTableInTheDocumentationIsThisOne() throws Exception {
    StringBuilder page = new StringBuilder(PAGE_BEGINS);
    ApiSamples.SAMPLES.forEach((operation, sample) -> {
      RouteNeed need = need(sample);
      Set<String> allowed = need == RouteNeed.ATTEMPT ? Set.of() : allowed(operation, need);
      page.append("| `").append(operation).append("` |");
      CALLERS.keySet().forEach(role -> page.append(allowed.contains(role) ? " yes |" : " |"));
      page.append('\n');
    });
    if (Boolean.getBoolean("orrery.docs.write")) {
      Files.writeString(ROLES, page);
    }
    assertThat(ROLES).as("-Dorrery.docs.write=true writes it anew").hasContent(page.toString());
  }

  private static final Path ROLES = Path.of("../docs/roles.md");

  private static final String PAGE_BEGINS =
      """
      # Roles

      A table of the operations of the API and who may call them, for an experiment and a project that the caller has a
      role in. It is written by a test that calls each operation as each role (`RoutePermissionsIT`). "owner" is a member
      whose own experiment it is; "stranger" is a user without a role in the project. Lists contain what the caller may
      see. An operation on an own account, token or request is allowed to every user. `appendMetrics` takes the token of
      an attempt, or of a service account.

      | operation | admin | creator | ops | owner | member | viewer | stranger |
      |---|---|---|---|---|---|---|---|
      """;
}
