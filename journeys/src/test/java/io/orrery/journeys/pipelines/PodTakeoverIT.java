package io.orrery.journeys.pipelines;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.kubernetes.MockCluster;
import io.orrery.core.json.Json;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Kills the server that owns a run while a step of it is a pod: another server adopts the pod. */
@Timeout(600)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class PodTakeoverIT {
  @TempDir Path temp;

  private static String owner(ServerProcess asked) throws Exception {
    for (JsonNode lease : asked.get("/cluster").get("leases")) {
      if (lease.get("name").textValue().equals("runs")) {
        return lease.get("url").textValue();
      }
    }
    return "";
  }

  /** The status of a run; empty while the server that takes it over is not there yet. */
  private static String status(ServerProcess asked, String id) throws Exception {
    HttpResponse<String> answer = asked.send("GET", "/runs/" + id, BodyPublishers.noBody());
    return answer.statusCode() == 200 ? Json.parse(answer.body()).path("status").textValue() : "";
  }

  @Test
  void anotherServerAdoptsThePodAndTakesItsOutputs() throws Exception {
    ServersTogether servers = new ServersTogether(temp, PostgresServer.newDatabase(), 2, 3);
    Path counter = Files.createFile(servers.shared().resolve("counter"));
    Path gate = servers.shared().resolve("gate");
    try (MockCluster cluster = new MockCluster(temp.resolve("node"), true)) {
      cluster.allow(Path.of("../deploy/kubernetes/rbac.yaml"));
      String more =
          "clusters: {kube: {runtime: kubernetes, kubeconfig: '%s', namespaces: {pipeline: trials}}}"
              .formatted(cluster.kubeconfig(servers.shared().resolve("kubeconfig")));
      try (ServerProcess one = servers.begin("one", 0, more);
          ServerProcess other = servers.begin("other", 1, more)) {
        one.ready(PATIENCE);
        other.ready(PATIENCE);
        HttpResponse<String> put =
            one.send(
                "PUT",
                "/pipelines/kept",
                BodyPublishers.ofString(
                    """
                    {"name": "kept", "tasks": [{"name": "counts", "image": "python:3",
                      "command": %s, "outputs": {"word": {"path": "word"}}}]}
                    """
                        .formatted(
                            Json.write(
                                "echo one >> '%s'; while [ ! -e '%s' ]; do sleep 0.1; done; echo done | tee \"$ORRERY_OUTPUTS/word\""
                                    .formatted(counter, gate)))));
        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        String id = one.post("/pipelines/kept/run", "{}").get("id").textValue();
        await("the pod runs", () -> Files.size(counter) > 0);
        ServerProcess killed = owner(one).equals(one.url().toString()) ? one : other;
        ServerProcess next = killed == one ? other : one;

        killed.kill();
        await("the other owns the runs", () -> owner(next).equals(next.url().toString()));
        await("the run goes on", () -> status(next, id).equals("RUNNING"));
        Files.createFile(gate);
        await("the run is over", () -> status(next, id).equals("SUCCEEDED"));

        JsonNode run = next.get("/runs/" + id);
        assertThat(run.path("status").textValue()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/0/attempt").asInt()).isEqualTo(1);
        assertThat(Files.readAllLines(counter)).containsExactly("one");
        String word = "/runs/" + id + "/artifacts/counts/word";
        assertThat(next.send("GET", word, BodyPublishers.noBody()).body()).isEqualTo("done\n");
        assertThat(
                next.send(
                        "GET", "/runs/" + id + "/steps/counts/logs/stdout", BodyPublishers.noBody())
                    .body())
            .isEqualTo("done\n");
      }
    }
  }
}
