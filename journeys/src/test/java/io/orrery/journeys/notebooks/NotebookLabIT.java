package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.ServerUsers;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A real JupyterLab in an environment that the server has built of its packages. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class NotebookLabIT extends NotebookJourney {
  private static final Duration INSTALLATION = Duration.ofMinutes(6);

  @Override
  String configuration() {
    return "auth: {users: true, sandbox: none}\n";
  }

  /** Builds the environment; skips the test where pip finds no JupyterLab. */
  private void install() throws Exception {
    ServerUsers.Reply made =
        users.send(
            ann,
            "PUT",
            "/api/v1/builds/lab",
            Json.write(Map.of("project", "vision", "requirements", index() + "jupyterlab\n")));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    await()
        .atMost(INSTALLATION)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          String status = build().path("status").asText();
          return status.equals("SUCCEEDED") || status.equals("FAILED");
        });
    assumeTrue(
        build().path("status").asText().equals("SUCCEEDED"),
        () -> "pip finds no JupyterLab here: " + log());
  }

  /**
   * The option that has packages come from the first further index of this machine's pip, if it
   * names one: without a network no other answers.
   */
  private static String index() throws Exception {
    Process asked =
        new ProcessBuilder("python3", "-m", "pip", "config", "list")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    asked.getOutputStream().close();
    String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said.lines()
        .filter(line -> line.contains(".extra-index-url="))
        .map(line -> line.replaceAll(".*='([^ ']+).*", "--index-url $1\n"))
        .findFirst()
        .orElse("");
  }

  private JsonNode build() throws Exception {
    return users.get(ann, "/api/v1/builds/lab").json().path("state");
  }

  private String log() {
    try {
      return users.get(ann, "/api/v1/builds/lab/logs").body();
    } catch (Exception e) {
      return e.toString();
    }
  }

  @Test
  void aCellAndATerminalRunInJupyterLabAndFilesStay() throws Exception {
    install();
    Files.createDirectories(temp.resolve("home/workspaces/ann/a b"));
    create(",\"image\":\"env:lab\",\"open\":\"/mnt/ann/a b\"");
    awaitStatus("RUNNING");
    ServerUsers.Reply entered = users.get(ann, ONE + "/enter?follow=false&open=/mnt/ann/a%20b");
    URI url = URI.create(entered.json().get("url").textValue());
    assertThat(url.getRawPath()).endsWith("/lab/tree/a%20b");
    String pass = pass(ann);

    Answer page = ask(HttpMethod.GET, "/lab/tree/a%20b", pass, "");
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    assertThat(page.body()).contains("JupyterLab");
    assertThat(run(pass, "import jupyterlab, os; open('kept', 'w').write('1'); print(6 * 7)"))
        .isEqualTo("42\n");
    Answer saved =
        ask(
            HttpMethod.PUT,
            "/api/contents/saved.txt",
            pass,
            "{\"type\": \"file\", \"format\": \"text\", \"content\": \"from the page\"}");
    assertThat(saved.status()).as(saved.body()).isIn(200, 201);
    assertThat(temp.resolve("home/workspaces/ann/saved.txt")).hasContent("from the page");

    Answer terminal = ask(HttpMethod.POST, "/api/terminals", pass, "");
    assertThat(terminal.status()).as(terminal.body()).isEqualTo(200);
    String name = Json.parse(terminal.body()).get("name").textValue();
    WebSocket socket = open("/terminals/websocket/" + name, pass);
    Promise<Void> echoed = Promise.promise();
    socket.textMessageHandler(text -> {
      if (text.contains("sum=42")) {
        echoed.tryComplete();
      }
    });
    socket.writeTextMessage("[\"stdin\", \"echo sum=$((6*7))\\r\"]").await(10, TimeUnit.SECONDS);
    echoed.future().await(30, TimeUnit.SECONDS);
    assertThat(ask(HttpMethod.GET, "/lab", "", "").status()).isEqualTo(401);
    assertThat(refusedSocket("/terminals/websocket/" + name, "")).isEqualTo(401);

    act("reset");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ask(HttpMethod.GET, "/api/contents/saved.txt", pass, "").status())
                .isEqualTo(200));
    assertThat(run(pass, "print(open('kept').read())")).isEqualTo("1\n");
  }
}
