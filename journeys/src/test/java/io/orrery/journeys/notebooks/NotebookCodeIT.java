package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.process.SearchPath;
import io.orrery.journeys.ServerUsers;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Opens Visual Studio Code behind the gate of a notebook: once with a program that stands in for
 * code-server at its socket, once with code-server itself where that is installed.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NotebookCodeIT extends NotebookJourney {
  private static final Pattern PORT = Pattern.compile("(?:^|\0)PORT=(\\d+)");

  /** Answers with its arguments and what came of a request, and echoes over WebSockets. */
  private static final String STAND_IN =
      """
      #!/usr/bin/env python3
      import base64, hashlib, http.server, json, os, socketserver, sys
      SOCKET = sys.argv[sys.argv.index("--socket") + 1]
      class Handler(http.server.BaseHTTPRequestHandler):
          protocol_version = "HTTP/1.1"
          def address_string(self):
              return "socket"
          def do_GET(self):
              if self.headers.get("Upgrade") == "websocket":
                  return self.echo() if self.trusts() else self.send_error(403)
              body = {"status": "expired", "lastHeartbeat": 0, "path": self.path,
                      "arguments": sys.argv[1:], "token": "JUPYTER_TOKEN" in os.environ,
                      "cookie": self.headers.get("Cookie", "")}
              text = json.dumps(body).encode()
              self.send_response(200)
              self.send_header("Content-Length", str(len(text)))
              self.end_headers()
              self.wfile.write(text)
          def trusts(self):
              # Like code-server 4: the host of Forwarded counts with the quotes around it.
              if "--trusted-origins" in sys.argv:
                  return sys.argv[sys.argv.index("--trusted-origins") + 1] == "*"
              parts = [part.partition("=") for part in self.headers.get("Forwarded", "").split(";")]
              hosts = [value for name, _, value in parts if name == "host"]
              return self.headers["Origin"] == "http://" + (hosts + [self.headers["Host"]])[0]
          def echo(self):
              key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
              self.send_response(101)
              self.send_header("Upgrade", "websocket")
              self.send_header("Connection", "Upgrade")
              accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
              self.send_header("Sec-WebSocket-Accept", accept)
              self.end_headers()
              self.wfile.flush()
              head = self.rfile.read(2)
              mask = self.rfile.read(4)
              text = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(head[1] & 127)))
              self.wfile.write(bytes([0x81, len(text)]) + text)
              self.wfile.flush()
              self.rfile.read(1)
              self.close_connection = True
      class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
          daemon_threads = True
      os.umask(0o177)
      Server(SOCKET, Handler).serve_forever()
      """;

  @Override
  String configuration() {
    return "auth: {users: true, sandbox: none}\n";
  }

  private static boolean isInstalled() {
    return SearchPath.of(System.getenv()).find("code-server").isPresent();
  }

  private void createCode(String more) throws Exception {
    ServerUsers.Reply made =
        users.send(
            ann,
            "POST",
            ALL,
            "{\"name\":\"ann-1\",\"project\":\"vision\",\"ide\":\"vscode\",\"share\":[\"bob\"]%s}"
                .formatted(more));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    awaitStatus("RUNNING", "IDLE");
  }

  private int port() throws Exception {
    for (String process : processes()) {
      Path environment = Path.of("/proc", process, "environ");
      Matcher found = PORT.matcher(Files.readString(environment, StandardCharsets.ISO_8859_1));
      if (found.find()) {
        return Integer.parseInt(found.group(1));
      }
    }
    throw new AssertionError("no process of the notebook has the variable PORT");
  }

  private Answer atItsPort(String path, String authorization) throws Exception {
    return http.request(HttpMethod.GET, port(), "127.0.0.1", path)
        .compose(request ->
            request
                .putHeader("Authorization", authorization)
                .send()
                .compose(response ->
                    response
                        .body()
                        .map(body -> new Answer(response.statusCode(), "", body.toString()))))
        .await(20, TimeUnit.SECONDS);
  }

  @Test
  void onlyWhoHasThePassOrTheTokenGetsThroughTheGate() throws Exception {
    Path programs = Files.createDirectories(temp.resolve("programs"));
    Path program = Files.writeString(programs.resolve("code-server"), STAND_IN);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(temp.resolve("home/workspaces/ann/a b"));
    createCode(
        ",\"open\":\"/mnt/ann/a b\",\"env\":{\"PATH\":\"%s:/usr/local/bin:/usr/bin:/bin\"}"
            .formatted(programs));
    String pass = pass(ann);

    JsonNode seen = Json.parse(ask(HttpMethod.GET, "/static/x?y=1", pass, "").body());
    assertThat(seen.get("path").textValue()).isEqualTo("/static/x?y=1");
    assertThat(seen.get("arguments").toString()).contains("\"--auth\",\"none\"", "a%20b");
    assertThat(seen.get("token").booleanValue()).as("code-server gets no token").isFalse();
    assertThat(seen.get("cookie").textValue()).doesNotContain("orrery");
    WebSocket socket = open("/socket", pass);
    Promise<String> echo = Promise.promise();
    Promise<Void> closed = Promise.promise();
    socket.textMessageHandler(echo::tryComplete);
    socket.closeHandler(closed::tryComplete);
    socket.writeTextMessage("hello").await(10, TimeUnit.SECONDS);
    assertThat(echo.future().await(20, TimeUnit.SECONDS)).isEqualTo("hello");

    // At its port the gate asks every client for the token, except at the path of its health.
    for (String path : List.of("/", "/static/x", "/healthz/../static", "/healthz?x", "//healthz")) {
      assertThat(atItsPort(path, "token 0123").status()).as(path).isEqualTo(403);
    }
    assertThat(atItsPort("/healthz", "token 0123").body()).contains("\"path\": \"/healthz\"");
    for (String forged : List.of("", ann.cookie(), pass.substring(0, pass.length() - 2))) {
      assertThat(ask(HttpMethod.GET, "/static/x", forged, "").status()).isEqualTo(401);
      assertThat(refusedSocket("/socket", forged)).isEqualTo(401);
    }
    assertThat(enter(sam).status()).isEqualTo(404);

    // A notebook that is shared with bob no more closes the connections that are open.
    assertThat(
            users
                .send(
                    ann,
                    "PUT",
                    ONE,
                    "{\"project\":\"vision\",\"ide\":\"vscode\",\"open\":\"/mnt/ann/a b\",\"env\":{\"PATH\":\"%s:/usr/local/bin:/usr/bin:/bin\"}}"
                        .formatted(programs))
                .status())
        .isEqualTo(200);
    closed.future().await(20, TimeUnit.SECONDS);
    assertThat(refusedSocket("/socket", pass)).isEqualTo(401);

    act("stop");
    awaitStatus("STOPPED");
    await().atMost(PATIENCE).until(() -> processes().isEmpty());
  }

  @Test
  void codeServerItselfShowsItsPageAndTakesItsSockets() throws Exception {
    assumeTrue(isInstalled(), "there is no code-server (npm install --global code-server)");
    createCode("");
    String pass = pass(ann);

    assertThat(ask(HttpMethod.GET, "/healthz", pass, "").body()).contains("\"status\"");
    Answer page = ask(HttpMethod.GET, "/?folder=/mnt/ann", pass, "");
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    assertThat(page.body()).contains("code-server");
    assertThat(ask(HttpMethod.GET, "/", "", "").status()).isEqualTo(401);
    Matcher quality = Pattern.compile("/?(stable-[0-9a-f]+)").matcher(page.body());
    assertThat(quality.find()).as(page.body()).isTrue();
    WebSocket socket =
        open("/" + quality.group(1) + "?reconnectionToken=1&skipWebSocketFrames=false", pass);
    Promise<Void> told = Promise.promise();
    socket.handler(piece -> told.tryComplete());
    socket.closeHandler(gone -> told.tryComplete());
    act("stop");
    awaitStatus("STOPPED");
    told.future().await(20, TimeUnit.SECONDS);
    await().atMost(PATIENCE).until(() -> processes().isEmpty());
  }
}
