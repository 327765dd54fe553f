package io.orrery.journeys.services;

import static io.orrery.journeys.ServersTogether.PATIENCE;
import static io.orrery.journeys.ServersTogether.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.sql.PostgresServer;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServersTogether;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Kills the server that owns a service: another one of the machine adopts its process. */
@Timeout(600)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class ServiceTakeoverIT {
  private static final String PROGRAM =
      """
      import http.server, os
      class Pid(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              body = str(os.getpid()).encode()
              self.send_response(200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)
      http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Pid).serve_forever()
      """;

  @TempDir Path temp;

  private static String owner(ServerProcess asked) throws Exception {
    for (JsonNode lease : asked.get("/cluster").get("leases")) {
      if (lease.get("name").textValue().equals("workloads")) {
        return lease.get("url").textValue();
      }
    }
    return "";
  }

  /** The only replica when it is ready; missing else, as while another server takes over. */
  private static JsonNode replica(ServerProcess asked) throws Exception {
    HttpResponse<String> answer = asked.send("GET", "/services/kept", BodyPublishers.noBody());
    JsonNode state =
        answer.statusCode() == 200
            ? Json.parse(answer.body()).path("state")
            : Json.MAPPER.missingNode();
    return state.path("status").asText().equals("READY")
        ? state.path("replicas").path(0)
        : Json.MAPPER.missingNode();
  }

  private static String pid(JsonNode replica) throws Exception {
    URI url = URI.create("http://" + replica.path("endpoint").asText() + "/");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body();
    }
  }

  @Test
  void anotherServerAdoptsTheProcessWithItsPortAndEndsIt() throws Exception {
    ServersTogether servers = new ServersTogether(temp, PostgresServer.newDatabase(), 2, 3);
    try (ServerProcess one = servers.begin("one", 0, "", "--router-port", "0");
        ServerProcess other = servers.begin("other", 1, "", "--router-port", "0")) {
      one.ready(PATIENCE);
      other.ready(PATIENCE);
      ObjectNode document = Json.MAPPER.createObjectNode().put("name", "kept").put("grace", "2s");
      document.putArray("command").add("python3").add("-c").add(PROGRAM);
      document.putArray("ports").add(8080);
      HttpResponse<String> put =
          one.send("PUT", "/services/kept", BodyPublishers.ofString(document.toString()));
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      await("the service is ready", () -> !replica(one).isMissingNode());
      JsonNode before = replica(one);
      String pid = pid(before);
      ServerProcess killed = owner(one).equals(one.url().toString()) ? one : other;
      ServerProcess next = killed == one ? other : one;

      killed.kill();
      assertThat(pid(before)).isEqualTo(pid);
      await("the other owns it", () -> owner(next).equals(next.url().toString()));
      await("it is ready there", () -> !replica(next).isMissingNode());

      JsonNode after = replica(next);
      assertThat(after.path("endpoint")).isEqualTo(before.path("endpoint"));
      assertThat(after.path("restarts").asInt()).isZero();
      assertThat(pid(after)).isEqualTo(pid);
      next.send("DELETE", "/services/kept", BodyPublishers.noBody());
      await("it is gone", () -> next.get("/workloads").path("items").isEmpty());
      assertThat(ProcessHandle.of(Long.parseLong(pid))).isEmpty();
    }
  }
}
