package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.process.SearchPath;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Notebooks of people on a server with accounts, with the Jupyter of this machine. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NotebookJourneyIT extends NotebookJourney {
  @Override
  String configuration() {
    assumeTrue(
        SearchPath.of(System.getenv()).find("bwrap").isPresent(),
        "there is no bwrap (Debian and Ubuntu: apt install bubblewrap)");
    return "auth: {users: true}\n";
  }

  // ---- tests ---------------------------------------------------------------------------------

  @Test
  void aCellRunsAndFilesSurviveResetStopAndAKilledServer() throws Exception {
    create("");
    awaitStatus("RUNNING");
    String pass = pass(ann);

    assertThat(
            run(pass, "import os; open('kept.txt', 'w').write('here'); print(6 * 7, os.getcwd())"))
        .isEqualTo("42 /mnt/ann\n");
    Path file = temp.resolve("home/workspaces/ann/kept.txt");
    assertThat(file).hasContent("here");
    assertOpens(file.resolveSibling("opened"), pass);
    // Neither the words of a process nor the database have the token.
    String token = run(pass, "import os; print(os.environ['JUPYTER_TOKEN'])").strip();
    assertThat(token).matches("[0-9a-f]{64}");
    for (String pid : processes()) {
      assertThat(Files.readString(Path.of("/proc", pid, "cmdline"))).doesNotContain(token);
    }
    try (Stream<Path> all = Files.list(temp.resolve("home"))) {
      for (Path each :
          all.filter(path -> path.getFileName().toString().startsWith("orrery.db")).toList()) {
        assertThat(new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1))
            .doesNotContain(token);
      }
    }

    server.kill();
    begin();
    users.moveTo(server);
    ann = users.signIn("ann");
    awaitStatus("RUNNING");
    // The pass and the program outlive the server.
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ask(HttpMethod.GET, "/api/contents/kept.txt", pass, "").body())
                .contains("here"));

    act("reset");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(ask(HttpMethod.GET, "/api/contents/kept.txt", pass, "").status())
                .isEqualTo(200));
    assertThat(run(pass, "print(open('kept.txt').read())")).isEqualTo("here\n");
    assertThat(run(pass, "import os; print(os.environ['JUPYTER_TOKEN'])").strip())
        .isNotEqualTo(token);

    act("stop");
    awaitStatus("STOPPED");
    assertThat(processes()).isEmpty();
    awaitEvents("STOP", "STOPPED");
    assertThat(enter(ann).status()).isEqualTo(409);
    act("start");
    awaitStatus("RUNNING");
    String again = pass(ann);
    assertThat(run(again, "print(open('kept.txt').read())")).isEqualTo("here\n");
    awaitEvents("STARTING", "RUNNING", "RESET", "STOP", "STOPPED", "STARTED", "RUNNING");
  }

  /** A notebook that runs shows a directory that came later, to its owner alone. */
  private void assertOpens(Path directory, String pass) throws Exception {
    Files.createDirectories(directory.resolve("a b"));
    String enter = ONE + "/enter?follow=false&open=";
    Reply entered = users.get(ann, enter + "/mnt/ann/opened/a%20b");
    assertThat(entered.status()).as(entered.body()).isEqualTo(200);
    URI url = URI.create(entered.json().get("url").textValue());
    assertThat(url.getRawPath()).endsWith("tree/opened/a%20b");
    Answer page = ask(HttpMethod.GET, url.getRawPath(), pass, "");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("opened/a%20b");
    assertThat(users.get(ann, enter + "/mnt/ann/../bob").status()).isEqualTo(400);
    assertThat(users.get(ann, enter + "/mnt/bob/x").status()).isEqualTo(400);
    assertThat(users.get(sam, enter + "/mnt/ann/opened").status()).isEqualTo(404);
  }

  /** Every shape of path is refused, by HTTP and as a WebSocket. */
  private void assertRefused(String cookie) throws Exception {
    for (String path :
        List.of(
            "/",
            "/api",
            "/api/status",
            "/api/status/",
            "/api//status",
            "/api/status?x=1",
            "/api/status;x=1",
            "/%61pi/status",
            "/api%2Fstatus",
            "/static/../api/status",
            "/%2e%2e/api/status",
            "//",
            "//api/status",
            "/tree",
            "/files/kept.txt",
            "/api/contents/kept.txt",
            "/api/kernels/x/channels",
            "/terminals/websocket/1",
            "/?ticket=forged",
            "/api/status?ticket=9999999999.AAAA")) {
      for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.POST)) {
        Answer answer = ask(method, path, cookie, "");
        assertThat(answer.status()).as("%s %s with %s", method, path, cookie).isIn(400, 401, 404);
        assertThat(answer.body()).doesNotContain("last_activity", "jupyter");
      }
      assertThat(refusedSocket(path, cookie)).as("%s with %s", path, cookie).isIn(400, 401, 404);
    }
  }

  @Test
  void noOtherUserEntersByHttpOrWebSocket() throws Exception {
    create(",\"share\":[\"bob\"]");
    awaitStatus("RUNNING");

    assertThat(users.get(sam, ONE).status()).isEqualTo(404);
    assertThat(enter(sam).status()).isEqualTo(404);
    assertThat(users.get(bob, ONE).status()).isEqualTo(200);
    assertThat(users.send(bob, "POST", ONE + "/stop", "").status()).isEqualTo(403);
    assertThat(users.send(bob, "DELETE", ONE, "").status()).isEqualTo(403);
    Person root = users.signIn("root");
    assertThat(enter(root).status()).isEqualTo(403);
    // A shell would act as its owner.
    assertThat(refusedShell(root)).isEqualTo(403);
    assertThat(refusedShell(bob)).isEqualTo(404);
    assertThat(refusedShell(sam)).isEqualTo(404);
    assertThat(refusedShell(ann)).isEqualTo(101);

    String hers = pass(ann);
    String his = pass(bob);
    for (String forged :
        List.of(
            "",
            ann.cookie(),
            hers.replaceFirst("=.*", "=9999999999.AAAA"),
            hers.substring(0, hers.length() - 2) + "xx",
            hers.replaceFirst("orrery_pass_[^=]*", "orrery_pass_0123456789abcdef"))) {
      assertRefused(forged);
    }
    assertThat(ask(HttpMethod.GET, "/api/status", his, "").status()).isEqualTo(200);
    // Who reaches the port of the program has no token.
    String endpoint =
        users
            .get(ann, "/api/v1/workloads/notebook-ann-1")
            .json()
            .at("/replicas/0/endpoint")
            .textValue();
    assertThat(
            http.request(
                    HttpMethod.GET,
                    Integer.parseInt(endpoint.split(":")[1]),
                    "127.0.0.1",
                    "/api/status")
                .compose(request -> request.send())
                .await(10, TimeUnit.SECONDS)
                .statusCode())
        .isEqualTo(403);

    WebSocket kernel = open("/api/kernels/" + kernel(his) + "/channels", his);
    Promise<Void> closed = Promise.promise();
    kernel.closeHandler(closed::tryComplete);
    kernel.writePing(Buffer.buffer("1")).await(10, TimeUnit.SECONDS);
    assertThat(closed.future().isComplete()).isFalse();
    Reply changed =
        users.send(ann, "PUT", ONE, "{\"project\":\"vision\",\"ide\":\"jupyter\",\"share\":[]}");
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertRefused(his);
    // What he had open is closed, and the kernel goes on for her.
    closed.future().await(20, TimeUnit.SECONDS);
    assertThat(enter(bob).status()).isEqualTo(404);
    assertThat(run(pass(ann), "print(1)")).isEqualTo("1\n");
  }

  @Test
  void aPassEndsWithTheAccountOfTheOneWhoHasIt() throws Exception {
    create(",\"share\":[\"bob\"]");
    awaitStatus("RUNNING");
    String his = pass(bob);
    assertThat(ask(HttpMethod.GET, "/api/status", his, "").status()).isEqualTo(200);

    Person root = users.signIn("root");
    assertThat(users.send(root, "PATCH", "/api/v1/users/bob", "{\"active\":false}").status())
        .isEqualTo(200);

    await()
        .atMost(PATIENCE)
        .until(() -> ask(HttpMethod.GET, "/api/status", his, "").status() == 401);
    assertRefused(his);
    assertThat(run(pass(ann), "print(1)")).isEqualTo("1\n");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void anIdleNotebookIsWarnedOfAndStopped() throws Exception {
    create(",\"expiry\":{\"idle\":\"8s\"}");
    awaitStatus("RUNNING", "IDLE");
    assertThat(shown().at("/state/expiresAt").textValue()).isNotNull();
    // No kernel, terminal or connection tells of this program, which works for longer than that.
    run(
        pass(ann),
        """
        import subprocess
        busy = 'timeout 10 sh -c "while :; do :; done"; touch worked'
        subprocess.Popen(['sh', '-c', busy], start_new_session=True)
        """);

    awaitStatus("STOPPED");
    assertThat(temp.resolve("home/workspaces/ann/worked")).exists();
    assertThat(processes()).isEmpty();
    awaitEvents("RUNNING", "IDLE", "WARNED", "EXPIRED", "STOPPED");
    act("start");
    awaitStatus("RUNNING", "IDLE");
  }
}
