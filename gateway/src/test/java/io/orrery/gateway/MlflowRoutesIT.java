package io.orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.Caller;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.json.Json;
import io.orrery.gateway.http.Served;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls each operation of MLflow's API as each role. Run, experiment and model belong to the
 * project {@code vision} and to Ann.
 */
class MlflowRoutesIT {
  private static final String ROOT = "/api/2.0/mlflow";
  private static final ProjectName VISION = new ProjectName("vision");
  private static final ResourceOwner OWNER = new ResourceOwner(VISION, "ann");
  private static final String RUN = "ab".repeat(16);

  /** A body that has all fields that any operation asks for. */
  private static final String BODY =
      """
      {"experiment_id": "7", "run_id": "%s", "name": "digits", "new_name": "new", "key": "k",
       "value": "1", "version": "1", "alias": "production", "experiment_name": "eyes",
       "metric_key": "k", "stage": "Staging", "source": "s3://m", "new_stage": "x",
       "experiment_ids": ["7"]}
      """
          .formatted(RUN);

  private static final String QUERY =
      ("?experiment_id=7&run_id=%s&name=digits&version=1&alias=production&experiment_name=eyes"
              + "&metric_key=k&key=k&path=7/%s/artifacts")
          .formatted(RUN, RUN);

  /** Operations that list what the caller sees, or create where the caller may. */
  private static final Set<String> OF_ALL =
      Set.of(
          "/experiments/create",
          "/experiments/search",
          "/runs/search",
          "/registered-models/create",
          "/registered-models/search",
          "/model-versions/search",
          "/*");

  private static final Map<String, Caller> CALLERS = new LinkedHashMap<>();

  static {
    CALLERS.put("owner", person("ann", ProjectRole.MEMBER));
    CALLERS.put("member", person("mia", ProjectRole.MEMBER));
    CALLERS.put("viewer", person("vic", ProjectRole.VIEWER));
    CALLERS.put("stranger", person("sam", null));
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
    edge = EdgeServer.withUsers(CALLERS, List.of());
    ModelSamples.answer(edge);
    Tracking.RunInfo info =
        new Tracking.RunInfo(
            RUN, "7", OWNER, "ann", "first", Tracking.RunStatus.RUNNING, false, 5, null);
    Tracking.TrackedRun run = new Tracking.TrackedRun(info, Map.of(), Set.of(), Map.of(), Map.of());
    Tracking.TrackedExperiment experiment =
        new Tracking.TrackedExperiment(
            "7", OWNER, "eyes", false, Map.of(), Samples.THEN, Samples.THEN);
    edge.answer(Tracking.CREATE_EXPERIMENT, experiment);
    edge.answer(Tracking.EXPERIMENT, experiment);
    edge.answer(Tracking.EXPERIMENTS, new Tracking.ExperimentPage(List.of(), false));
    edge.answer(TrialRuns.EXPERIMENTS, new Tracking.ExperimentPage(List.of(), false));
    edge.answer(Tracking.CHANGE_EXPERIMENT, new People.Done());
    edge.answer(Tracking.CREATE_RUN, run);
    edge.answer(Tracking.RUN, run);
    edge.answer(Tracking.STATE, new Tracking.RunState(RUN, "7", OWNER, false));
    edge.answer(Tracking.RUNS, new Tracking.RunPage(List.of(), false));
    edge.answer(Tracking.CHANGE_RUN, info);
    edge.answer(Tracking.LOG, new People.Done());
    edge.answer(Tracking.HISTORY, new Tracking.History(new byte[0], null));
  }

  @AfterEach
  void stop() throws Exception {
    edge.close();
  }

  private List<Served> operations() {
    return edge.table().stream()
        .filter(served -> served.path().startsWith(ROOT))
        .filter(served -> !served.method().equals("HEAD"))
        .toList();
  }

  private static String name(Served served) {
    return served.path().substring(ROOT.length());
  }

  private HttpResponse<String> send(Served served, String caller) throws Exception {
    String path =
        served.path().startsWith(ROOT + "-artifacts")
            ? served.path().replace("*", "7/" + RUN + "/artifacts/x")
            : served.path().replace("*", "unknown");
    boolean get = served.method().equals("GET");
    String query = path.endsWith("/list") ? QUERY.replaceAll("&path=.*", "") : QUERY;
    return edge.client()
        .send(
            edge.request(path + (get ? query : ""))
                .header("Authorization", "Bearer " + caller)
                .method(
                    served.method(), get ? BodyPublishers.noBody() : BodyPublishers.ofString(BODY))
                .build(),
            BodyHandlers.ofString());
  }

  @Test
  void whatBelongsToOthersDoesNotExistForAStranger() throws Exception {
    assertThat(operations()).hasSizeGreaterThan(45);
    for (Served served : operations()) {
      if (!OF_ALL.contains(name(served))) {
        HttpResponse<String> response = send(served, "stranger");
        assertThat(response.statusCode()).as(served.toString()).isEqualTo(404);
        assertThat(Json.parse(response.body()).get("error_code").textValue())
            .as(served.toString())
            .isEqualTo("RESOURCE_DOES_NOT_EXIST");
      }
    }
  }

  @Test
  void theOwnerMayDoEverythingAndAViewerMayLook() throws Exception {
    for (Served served : operations()) {
      if (name(served).equals("/*") || name(served).equals("-artifacts/artifacts/*")) {
        continue;
      }
      boolean reads =
          served.method().equals("GET")
              || name(served).endsWith("/search")
              || name(served).endsWith("/get-latest-versions");
      int owner = send(served, "owner").statusCode();
      assertThat(owner).as(served.toString()).isEqualTo(200);
      if (!OF_ALL.contains(name(served))) {
        assertThat(send(served, "viewer").statusCode())
            .as(served.toString())
            .isEqualTo(reads ? 200 : 403);
      }
    }
  }

  @Test
  void aMemberCreatesRunsAndVersionsAndChangesNoneOfOthers() throws Exception {
    Set<String> creates = Set.of("/runs/create", "/model-versions/create");
    for (Served served : operations()) {
      String name = name(served);
      if (OF_ALL.contains(name) || served.method().equals("GET") || name.contains("artifacts/")) {
        continue;
      }
      boolean allowed = creates.contains(name) || name.endsWith("/get-latest-versions");
      HttpResponse<String> response = send(served, "member");
      assertThat(response.statusCode()).as(served.toString()).isEqualTo(allowed ? 200 : 403);
      if (!allowed) {
        assertThat(response.body()).contains("PERMISSION_DENIED");
      }
    }
  }

  @Test
  void badInputIsRefusedInMlflowsWords() throws Exception {
    Map<String, String> bodies = new LinkedHashMap<>();
    bodies.put(
        "/runs/log-batch", "{\"run_id\": \"%s\", \"metrics\": [{\"key\": \"a\"}]}".formatted(RUN));
    bodies.put(
        "/runs/log-metric", "{\"run_id\": \"%s\", \"key\": \"../a\", \"value\": 1}".formatted(RUN));
    bodies.put(
        "/runs/log-parameter",
        "{\"run_id\": \"%s\", \"key\": \"a\", \"value\": \"%s\"}"
            .formatted(RUN, "x".repeat(7_000)));
    bodies.put("/runs/get", "");
    bodies.put("/runs/update", "{\"run_id\": \"%s\", \"status\": \"DONE\"}".formatted(RUN));
    bodies.put("/experiments/create", "[]");
    bodies.put("/experiments/search", "{\"max_results\": 0}");
    bodies.put("/registered-models/create", "{\"name\": \"a/b\"}");
    bodies.put(
        "/registered-models/alias",
        "{\"name\": \"digits\", \"alias\": \"v1\", \"version\": \"1\"}");
    for (Map.Entry<String, String> entry : bodies.entrySet()) {
      String body = entry.getValue();
      HttpResponse<String> response =
          edge.client()
              .send(
                  edge.request(ROOT + entry.getKey())
                      .header("Authorization", "Bearer owner")
                      .method(
                          body.isEmpty() ? "GET" : "POST",
                          body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                      .build(),
                  BodyHandlers.ofString());
      assertThat(response.statusCode()).as(entry.toString()).isEqualTo(400);
      assertThat(Json.parse(response.body()).get("error_code").textValue())
          .as(entry.toString())
          .isEqualTo("INVALID_PARAMETER_VALUE");
      assertThat(Json.parse(response.body()).get("message").textValue()).isNotBlank();
    }
  }
}
