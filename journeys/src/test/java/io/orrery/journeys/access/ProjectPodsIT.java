package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs experiments, steps and services of a project whose settings say where its pods run. */
@Timeout(300)
class ProjectPodsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SETTINGS =
      """
      {"settings": {"cluster": "kube", "node_selector": "zone=a", "org": "ml,vision",
                    "volume_mount": "data(pvc-share):/data"}}
      """;

  @TempDir Path temp;
  private MockCluster cluster;
  private ServerProcess server;
  private ServerUsers users;
  private Person root;
  private Person ann;

  @BeforeEach
  void start() throws Exception {
    cluster = new MockCluster(temp.resolve("node"), true);
    cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
    Path kubeconfig = cluster.kubeconfig(temp.toAbsolutePath().resolve("kubeconfig"));
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(
        home.resolve("orrery.yml"),
        """
        auth: {users: true, sandbox: none}
        clusters:
          kube:
            runtime: kubernetes
            kubeconfig: '%s'
            namespaces: {automl: trials, pipeline: trials, service: trials}
        """
            .formatted(kubeconfig));
    server = ServerProcess.start(home);
    users = new ServerUsers(server);
    root = users.administrator();
    ann = users.user(root, "ann");
    send("PUT", "/api/v1/projects/vision", SETTINGS, 201);
    ObjectNode claim = Json.MAPPER.createObjectNode();
    claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
    claim.putObject("metadata").put("name", "data");
    cluster.create("/api/v1/namespaces/trials/persistentvolumeclaims", claim);
  }

  @AfterEach
  void stop() throws Exception {
    if (users != null) {
      users.close();
    }
    if (server != null) {
      server.close();
    }
    cluster.close();
  }

  private Reply send(String method, String path, String body, int status) throws Exception {
    Reply reply = users.send(ann, method, path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return reply;
  }

  private String experiment(String where) throws Exception {
    Path code = Files.createDirectories(temp.toAbsolutePath().resolve("code"));
    return """
    trialCommand: |
      echo 'orrery: final 1'
    trialCodeDirectory: %s
    trialConcurrency: 1
    maxTrialNumber: 1
    searchSpace: {x: {_type: uniform, _value: [0, 1]}}
    tuner: {name: Random, classArgs: {optimize_mode: maximize}}
    trainingService: {platform: kubernetes, dockerImage: "hub.example.com/team/app:1"%s}
    """
        .formatted(code, where);
  }

  /** The machines, the mounts and the accounts of the project are those of a pod. */
  private static void assertOfProject(JsonNode spec, String role, String processor) {
    assertThat(spec.get("nodeSelector").toString())
        .contains(
            "\"zone\":\"a\"",
            "\"%s\":\"true\"".formatted(role),
            "\"%s\":\"true\"".formatted(processor))
        .doesNotContain("org");
    assertThat(
            spec.at(
                    "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"
                        + "/nodeSelectorTerms/0/matchExpressions/0")
                .toString())
        .isEqualTo("{\"key\":\"org\",\"operator\":\"In\",\"values\":[\"ml\",\"vision\"]}");
    assertThat(spec.get("volumes").toString()).contains("\"claimName\":\"data\"");
    assertThat(spec.at("/containers/0/volumeMounts").toString())
        .contains("\"mountPath\":\"/data\"");
  }

  private JsonNode template(List<JsonNode> jobs) {
    assertThat(jobs).hasSize(1);
    return jobs.getFirst().at("/spec/template/spec");
  }

  @Test
  void anExperimentTakesItsClusterItsNodesItsMountsAndItsAccountsFromItsProject() throws Exception {
    send(
        "PUT",
        "/api/v1/registries/hub",
        "{\"project\": \"vision\", \"server\": \"hub.example.com/team\", \"user\": \"bot\", \"password\": \"sesame\"}",
        201);
    Reply created =
        send("POST", "/api/v1/experiments?project=vision", experiment(", gpuNumber: 1"), 201);
    String id = created.json().get("id").textValue();
    assertThat(created.json().get("notices").toString())
        .contains("The project vision gives its pods the cluster kube");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/experiments/" + id).json().get("status").asText())
                .isEqualTo("DONE"));

    JsonNode pod = template(cluster.list("/apis/batch/v1/namespaces/trials/jobs"));
    assertOfProject(pod, "train", "gpu");
    String pull = pod.at("/imagePullSecrets/0/name").textValue();
    JsonNode secret = cluster.get("/api/v1/namespaces/trials/secrets/" + pull);
    assertThat(secret.path("type").asText()).isEqualTo("kubernetes.io/dockerconfigjson");
    assertThat(users.get(ann, "/api/v1/experiments/" + id).body())
        .doesNotContain("kubeconfig", "sesame");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aFileMayNameAnotherClusterOfTheConfigurationAndNoOther() throws Exception {
    send("POST", "/api/v1/experiments?dryRun=true", experiment(", cluster: kube"), 200);
    assertThat(
            send("POST", "/api/v1/experiments", experiment(", cluster: kubs"), 400)
                .json()
                .at("/errors/0")
                .toString())
        .contains("/trainingService/cluster", "no Kubernetes cluster 'kubs'", "kube");
    assertThat(send("POST", "/api/v1/experiments", experiment(", context: dev"), 400).body())
        .contains("name a cluster of the server's configuration by cluster");
    send("PUT", "/api/v1/projects/lost", "{\"settings\": {\"cluster\": \"gone\"}}", 201);
    assertThat(send("POST", "/api/v1/experiments?project=lost", experiment(""), 400).body())
        .contains("its project lost is on gone");
  }

  @Test
  void onlyAdministratorsNameTheNamespaceAndTheAccountOfPods() throws Exception {
    for (String key : List.of("namespace", "serviceAccountName")) {
      String where = ", cluster: kube, %s: elsewhere".formatted(key);
      for (String path : List.of("/api/v1/experiments", "/api/v1/experiments?dryRun=true")) {
        JsonNode finding = send("POST", path, experiment(where), 400).json().at("/errors/0");
        assertThat(finding.get("pointer").textValue()).isEqualTo("/trainingService/" + key);
        assertThat(finding.get("line").intValue()).isPositive();
        assertThat(finding.get("message").textValue())
            .contains("may be set by administrators only: leave it out");
      }
      assertThat(
              users
                  .send(root, "POST", "/api/v1/experiments?dryRun=true", experiment(where))
                  .status())
          .isEqualTo(200);
      String pipeline =
          """
          kind: Pipeline
          name: sneaky
          project: vision
          tasks:
            - name: look
              command: id
              trainingService: {platform: kubernetes, dockerImage: "python:3", %s: elsewhere}
          """
              .formatted(key);
      assertThat(send("PUT", "/api/v1/pipelines/sneaky", pipeline, 400).body())
          .contains("/tasks/0/trainingService/" + key, "administrators only");
    }
    // Other documents have no such key at all.
    for (String kind : List.of("Service", "Notebook")) {
      String document =
          "{kind: %s, name: sneaky, project: vision, image: 'python:3', command: id, namespace: x}"
              .formatted(kind);
      String path = kind.equals("Service") ? "services" : "notebooks";
      assertThat(send("PUT", "/api/v1/" + path + "/sneaky", document, 400).body())
          .contains("namespace");
    }
    assertThat(cluster.list("/apis/batch/v1/namespaces/elsewhere/jobs")).isEmpty();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aStepOnTheTrainingServiceOfKubernetesIsOnTheClusterOfItsProject() throws Exception {
    send(
        "PUT",
        "/api/v1/pipelines/fits",
        """
        kind: Pipeline
        name: fits
        project: vision
        tasks:
          - name: fit
            command: echo fitted
            trainingService: {platform: kubernetes, dockerImage: "python:3"}
        """,
        201);
    String run = send("POST", "/api/v1/pipelines/fits/run", "{}", 201).json().get("id").asText();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/runs/" + run).json().get("status").asText())
                .isEqualTo("SUCCEEDED"));
    assertOfProject(
        template(cluster.list("/apis/batch/v1/namespaces/trials/jobs")), "train", "cpu");
  }

  @Test
  void stepsAndServicesRunOnTheNodesOfTheirProjectWithItsMounts() throws Exception {
    send(
        "PUT",
        "/api/v1/pipelines/looks",
        """
        kind: Pipeline
        name: looks
        project: vision
        tasks: [{name: look, image: "python:3", command: "echo $KFJ_TASK_NODE_SELECTOR"}]
        """,
        201);
    String run = send("POST", "/api/v1/pipelines/looks/run", "{}", 201).json().get("id").asText();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(users.get(ann, "/api/v1/runs/" + run).json().get("status").asText())
                .isEqualTo("SUCCEEDED"));
    assertThat(users.get(ann, "/api/v1/runs/" + run + "/steps/look/logs/stdout").body().strip())
        .contains("zone=a", "org=ml,vision");
    assertOfProject(
        template(cluster.list("/apis/batch/v1/namespaces/trials/jobs")), "train", "cpu");

    send(
        "PUT",
        "/api/v1/services/hello",
        """
        kind: Service
        name: hello
        project: vision
        image: "python:3"
        command: sleep 600
        """,
        201);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    cluster.list("/api/v1/namespaces/trials/pods").stream()
                        .filter(pod -> pod.toString().contains("hello")))
                .isNotEmpty());
    JsonNode pod =
        cluster.list("/api/v1/namespaces/trials/pods").stream()
            .filter(each -> each.toString().contains("hello"))
            .findFirst()
            .orElseThrow();
    assertOfProject(pod.get("spec"), "service", "cpu");
  }
}
