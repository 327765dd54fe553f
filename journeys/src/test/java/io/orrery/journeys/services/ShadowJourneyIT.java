package io.orrery.journeys.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Compares the answers of a service with those of its shadow, which is another service. */
class ShadowJourneyIT extends ServiceJourney {
  private static final String HOST = "digits.service.orrery.localhost";

  private static final String PROGRAM =
      """
      import os, time
      from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

      class Handler(BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'

          def do_GET(self):
              health = self.path == '/healthz'
              path = self.path.split('?')[0]
              body = ('{"class": %s, "path": "%s"}' % (os.environ['CLASS'], path)).encode()
              if path == '/slow':
                  body = b'slow'
                  time.sleep(float(os.environ['PAUSE']))
              broken = path == '/broken' and os.environ['CLASS'] == '5'
              self.send_response(500 if broken else 200)
              self.send_header('Content-Length', str(len(body)))
              self.end_headers()
              self.wfile.write(body)

          def log_message(self, *arguments):
              pass

      ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()
      """;

  private ObjectNode document(String name, int answer, double pause) throws Exception {
    ObjectNode document = python(name, PROGRAM).put("health", "8080:/healthz");
    document
        .putObject("env")
        .put("CLASS", Integer.toString(answer))
        .put("PAUSE", Double.toString(pause));
    return document;
  }

  /** The first difference of a kind between a service or domain and its only shadow. */
  private JsonNode difference(String of, String kind) throws Exception {
    JsonNode items = server.get(of + "/shadows").get("items");
    assertThat(items).hasSize(1);
    for (JsonNode one : items.get(0).get("differences")) {
      if (one.get("kind").textValue().equals(kind)) {
        return one;
      }
    }
    throw new AssertionError("no difference of " + kind + " in " + items);
  }

  private void askUntil(String url, String of, String kind) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          assertThat(ask(URI.create(url)).statusCode()).isEqualTo(200);
          assertThat(difference(of, kind)).isNotNull();
        });
  }

  @Test
  void theDifferencesOfAShadowAreShownByStatusBodyAndTime() throws Exception {
    put(document("digits-2", 5, 0.2).toString());
    ready("digits-2");
    ObjectNode first = document("digits-1", 3, 0);
    first.put("shadow", "digits-2:100%").putArray("compareBodies").add("digits-2");
    put(first.toString());
    ready("digits-1");
    String url = state("digits-1").get("url").textValue();
    String service = path("digits-1");
    assertThat(server.get(service + "/shadows").get("items")).isEmpty();

    askUntil(url + "predict?token=secret", service, "body");
    askUntil(url + "broken", service, "status");
    askUntil(url + "slow", service, "time");

    JsonNode body = difference(service, "body");
    assertThat(body.get("request").textValue()).isEqualTo("GET /predict");
    assertThat(body.at("/body/places").toString())
        .isEqualTo("[{\"pointer\":\"/class\",\"value\":\"3\",\"shadowValue\":\"5\"}]");
    JsonNode status = difference(service, "status");
    assertThat(status.get("request").textValue()).isEqualTo("GET /broken");
    assertThat(status.get("status").intValue()).isEqualTo(200);
    assertThat(status.get("shadowStatus").intValue()).isEqualTo(500);
    JsonNode time = difference(service, "time");
    assertThat(time.get("shadowMillis").doubleValue())
        .isGreaterThan(2 * time.get("millis").doubleValue())
        .isGreaterThan(200);

    assertThat(orrery("service", "shadows", "digits-1").out())
        .contains("digits-2")
        .contains("body /class")
        .contains("GET /broken")
        .doesNotContain("secret");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theShadowOfADomainIsComparedToo() throws Exception {
    put(document("digits-1", 3, 0).put("host", HOST).toString());
    ready("digits-1");
    ObjectNode second = document("digits-2", 5, 0).put("host", HOST);
    second.set("rollout", Json.parse("{\"steps\": [5, 100], \"every\": \"1h\"}"));
    put(second.toString());
    ready("digits-2");
    orrery("domain", "abort", HOST);
    String domain = "/domains/" + HOST;
    assertThat(
            server
                .send(
                    "PUT",
                    domain,
                    BodyPublishers.ofString(
                        """
                        {"backends": [{"service": "digits-1", "percent": 100}],
                         "shadows": [{"service": "digits-2", "percent": 100}]}\
                        """))
                .statusCode())
        .isEqualTo(200);

    String url = server.get(domain).get("url").textValue();
    askUntil(url + "predict", domain, "body");

    assertThat(difference(domain, "body").at("/body/places/0/pointer").textValue())
        .isEqualTo("/class");
    assertThat(orrery("domain", "shadows", HOST).out()).contains("body /class");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          ask(URI.create(url + "predict"));
          JsonNode items = server.get(domain + "/traffic").get("items");
          assertThat(items).hasSize(1);
          assertThat(items.get(0).get("service").textValue()).isEqualTo("digits-1");
          assertThat(items.get(0).at("/points/0/requests").longValue()).isPositive();
        });
  }

  @Test
  void whatIsComparedIsAShadow() throws Exception {
    ObjectNode document = document("digits-1", 3, 0);
    document.putArray("compareBodies").add("digits-2");

    HttpResponse<String> refused =
        server.send("PUT", path("digits-1"), BodyPublishers.ofString(document.toString()));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body())
        .contains("/compareBodies/0")
        .contains("shadow does not name digits-2");
  }
}
