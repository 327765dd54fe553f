package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the templates that the server brings, and steps that ask people. */
@Timeout(180)
class TaskTemplatesIT extends PipelineJourney {
  private static String output(JsonNode run, String step, String name) {
    return step(run, step).path("outputs").path(name).path("value").asText();
  }

  @Test
  void dataIsImportedAskedBySqlAndExportedWithTextsAsTheyAre() throws Exception {
    Path source = temp.resolve("digits.csv");
    Files.writeString(source, "label,size\n1,10\n2,20\n2,30\n");
    Path target = temp.resolve("out").resolve("result.csv");
    put(
        "data",
        """
        kind: Pipeline
        name: data
        parameters: {label: {type: int}, note: {type: str}}
        tasks:
          - name: fetch
            template: import
            arguments: {--from: %s}
            outputs: {data: {path: data}, bytes: {value: bytes}, sha256: {value: sha256}}
          - name: query
            template: sql
            inputs: {digits.csv: "{{tasks.fetch.outputs.data}}"}
            arguments:
              statements: |
                create table picked as select * from digits where label = :label; -- ';
                select sum(size) as total, :note as note from picked;
            outputs: {result: {path: result.csv}, rows: {value: rows}}
          - name: send
            template: export
            inputs: {data: "{{tasks.query.outputs.result}}"}
            arguments: {--to: %s}
        """
            .formatted(quoted(source), quoted(target)));
    String note = "{{7*7}}' ; drop table picked; -- $(id)";

    JsonNode run = awaitEnd(run("data", "{\"label\": 2, \"note\": \"" + note + "\"}"));

    assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(output(run, "fetch", "bytes")).isEqualTo(Long.toString(Files.size(source)));
    assertThat(output(run, "fetch", "sha256")).hasSize(64);
    assertThat(output(run, "query", "rows")).isEqualTo("1");
    assertThat(target).content().isEqualToIgnoringNewLines("total,note\n50," + note);
  }

  @Test
  void aRequestSendsTheTextAndTokenThatItIsGivenAndFailsOnAnUnexpectedStatus() throws Exception {
    List<String> asked = new ArrayList<>();
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          synchronized (asked) {
            asked.add(
                exchange.getRequestMethod()
                    + " "
                    + exchange.getRequestHeaders().getFirst("Authorization")
                    + " "
                    + exchange.getRequestHeaders().getFirst("X-Kind")
                    + " "
                    + body);
          }
          int status = exchange.getRequestURI().getPath().equals("/gone") ? 410 : 201;
          byte[] answer = "made".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    web.start();
    try {
      String url = "http://127.0.0.1:" + web.getAddress().getPort();
      put(
          "call",
          """
          kind: Pipeline
          name: call
          parameters: {text: {type: str}}
          tasks:
            - name: post
              template: http
              env: {HTTP_TOKEN: t0k}
              arguments: {--url: %s/made, --method: POST, --body: "{{parameters.text}}", --headers: {X-Kind: odd}}
              outputs: {status: {value: status}, body: {path: body}}
            - name: gone
              template: http
              after: [post]
              arguments: {--url: %s/gone}
          """
              .formatted(url, url));
      String text = "-- {{7*7}} ' ; rm -rf /tmp/x";

      String id = run("call", "{\"text\": \"" + text + "\"}");
      JsonNode run = awaitEnd(id);

      assertThat(output(run, "post", "status")).as(run.toPrettyString()).isEqualTo("201");
      assertThat(text("/runs/" + id + "/artifacts/post/body")).isEqualTo("made");
      assertThat(asked.getFirst()).isEqualTo("POST Bearer t0k odd " + text);
      assertThat(status(run, "gone")).isEqualTo("FAILED");
      assertThat(text("/runs/" + id + "/steps/gone/logs/stderr"))
          .contains("answered 410, and 2xx was expected");
    } finally {
      web.stop(0);
    }
  }

  @Test
  void aStepWaitsForAnApprovalThroughAKillOfTheServer() throws Exception {
    put(
        "release",
        """
        kind: Pipeline
        name: release
        tasks:
          - {name: train, command: 'echo "orrery: output score 0.97"', outputs: {score: {value: score}}}
          - {name: ask, approval: "Release with {{tasks.train.outputs.score}}?"}
          - {name: deploy, command: 'echo {{tasks.ask.outputs.by}}', after: [ask]}
        """);
    String id = run("release", "{}");
    await().atMost(PATIENCE).until(() -> status(run(id), "ask").equals("RUNNING"));
    assertThat(step(run(id), "ask").path("reason").asText())
        .isEqualTo("waits for an approval: Release with 0.97?");

    for (String verb : List.of("approve", "refuse")) {
      assertThat(check(id, "ask/" + verb)).isEqualTo(200);
    }
    assertThat(check(id, "train/approve")).isEqualTo(404);
    assertThat(status(run(id), "ask")).as("after checks").isEqualTo("RUNNING");

    server.kill();
    begin();
    server.post("/runs/" + id + "/steps/ask/approve", "{\"why\": \"better than before\"}");
    // What was acknowledged holds, whatever becomes of the server.
    server.kill();
    begin();

    JsonNode run = awaitEnd(id);
    assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(step(run, "ask").path("reason").asText())
        .isEqualTo("approved by %s: better than before".formatted(run.path("owner").asText()));

    String other = run("release", "{}");
    await().atMost(PATIENCE).until(() -> status(run(other), "ask").equals("RUNNING"));
    server.post("/runs/" + other + "/steps/ask/refuse", "{}");
    assertThat(status(awaitEnd(other), "deploy")).isEqualTo("OMITTED");
    assertThat(
            server
                .send("POST", "/runs/" + other + "/steps/ask/approve", BodyPublishers.noBody())
                .statusCode())
        .isEqualTo(409);
    assertThat(check(other, "ask/approve")).isEqualTo(409);
  }

  private int check(String run, String answer) throws Exception {
    String path = "/runs/" + run + "/steps/" + answer + "?dryRun=true";
    return server.send("POST", path, BodyPublishers.noBody()).statusCode();
  }
}
