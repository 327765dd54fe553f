package io.orrery.journeys.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.core.net.FreePort;
import io.orrery.core.process.SearchPath;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import io.orrery.journeys.ServerUsers.Person;
import io.orrery.journeys.ServerUsers.Reply;
import io.orrery.journeys.router.RouterProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs local trials that spy on the server and on each other, and that leave odd files. */
@Timeout(240)
class HostileTrialsIT {
  /** The files of a process that would tell a secret, for each number that is given or seen. */
  private static final String PROCESSES =
      """
      import os, sys
      own = [os.readlink('/proc/self/fd/%d' % fd) for fd in (1, 2)]
      for pid in sys.argv[1:] + [e for e in os.listdir('/proc') if e.isdigit()]:
        if pid == str(os.getpid()): continue
        for name in ('environ', 'cmdline', 'maps', 'mem', 'root/etc/hostname', 'cwd/server.json'):
          try:
            found = open('/proc/%s/%s' % (pid, name), 'rb').read(1 << 20)
            if b'sesame' in found or b'marmalade' in found: print('leak', pid, name)
            if pid in sys.argv[1:]: print('opened', pid, name)
          except OSError: pass
        try:
          for fd in os.listdir('/proc/%s/fd' % pid):
            opened = os.readlink('/proc/%s/fd/%s' % (pid, fd))
            # Its own sandbox has its own logs open.
            if 'home' in opened and opened not in own: print('descriptor', pid, fd, opened)
        except OSError: pass
      print('looked')
      print('orrery: final 1')
      """;

  /**
   * Asks each "port host path" with each token and method, with a body that is well-formed, each
   * time from another address so that nothing is hidden by the limit of wrong tokens. Prints what
   * is no plain refusal.
   */
  private static final String PORTS =
      """
      import http.client, os, sys
      tokens = [None, '', 'admin', 'ann', 'orrery_' + 'a' * 43, os.environ['ORRERY_TRIAL_TOKEN'],
                os.environ['NNI_TRIAL_COMMAND_CHANNEL'].split('/')[-1]]
      assert all(tokens[5:]), 'a trial has a token'
      asked = 0
      for place in open(sys.argv[1]).read().splitlines():
        port, host, path, methods = place.split(' ')
        for token in tokens:
          for method in methods.split(','):
            asked += 1
            heads = {'Host': host, 'Content-Type': 'application/json'}
            if token is not None: heads['Authorization'] = 'Bearer ' + token
            try:
              away = ('127.1.%d.%d' % (asked // 250, 1 + asked % 250), 0)
              to = http.client.HTTPConnection('127.0.0.1', int(port), timeout=20, source_address=away)
              to.request(method, path, None if method in ('GET', 'HEAD') else '{}', heads)
              answer = to.getresponse()
              body = answer.read().decode('latin-1')
              if answer.status not in (401, 403, 404): print(method, place, token, answer.status, body[:200])
              elif any(word in body for word in ('marmalade', 'sleep', 'first')): print('told', place, body)
              to.close()
            except OSError as e: print('unreachable', place, e)
      print('asked')
      print('orrery: final 1')
      """;

  private static final String METHODS = "GET,HEAD,PUT,POST,PATCH,DELETE";

  private static final List<String> PRIVATE =
      List.of(
          "/api/v1/users",
          "/api/v1/users/bob/password",
          "/api/v1/me/tokens",
          "/api/v1/server",
          "/api/v1/logs",
          "/api/v1/projects/public",
          "/api/v1/files/bob/x",
          "/api/v1/nothing",
          "/api/v1/notebooks/bobs",
          "/api/v1/notebooks/bobs/enter");

  private static final String BOBS_WORKLOAD = "/api/v1/workloads/notebook-bobs";

  private static final String ODD_FILES =
      """
      import os, socket
      for place in ('/mnt/ann/odd', os.environ['NNI_OUTPUT_DIR']):
        os.makedirs(place, exist_ok=True)
        os.chdir(place)
        os.mkfifo('fifo')
        os.mkfifo('.nniignore')
        socket.socket(socket.AF_UNIX).bind('socket')
        os.symlink('/dev/zero', 'zero')
        for device in ('block', 'character'):
          try: os.mknod(device, 0o600 | (0o060000 if device == 'block' else 0o020000), os.makedev(1, 5))
          except OSError: pass
        open('plain', 'w').write('plain')
        open('run.sh', 'w').write("echo 'orrery: final 2'")
      print('orrery: final 1')
      """;

  @TempDir Path temp;
  private ServerProcess server;
  private ServerUsers users;
  private Person ann;
  private Person bob;

  @BeforeEach
  void start() throws Exception {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/bwrap"))).as("bubblewrap").isTrue();
    Path home = Files.createDirectories(temp.toAbsolutePath().resolve("home"));
    Files.writeString(home.resolve("orrery.yml"), "auth: {users: true}\n");
    server =
        ServerProcess.begin(
                home,
                List.of("--port", "0", "--router-port", "0"),
                Map.of("DATABASE_PASSWORD", "sesame"))
            .ready();
    users = new ServerUsers(server);
    Person root = users.administrator();
    ann = users.user(root, "ann");
    bob = users.user(root, "bob");
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      // A notebook outlives its server, and so this test.
      users.send(bob, "DELETE", "/api/v1/notebooks/bobs", "");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> users.get(bob, BOBS_WORKLOAD).status() == 404);
      users.close();
      server.close();
    }
  }

  private String experiment(Person person, String command, String code) throws Exception {
    Reply created =
        users.send(
            person,
            "POST",
            "/api/v1/experiments",
            """
            trialCommand: %s
            trialCodeDirectory: %s
            trialConcurrency: 1
            maxTrialNumber: 1
            searchSpace: {x: {_type: uniform, _value: [0, 1]}}
            tuner: {name: Random, classArgs: {optimize_mode: maximize}}
            trainingService: {platform: local}
            """
                .formatted(Json.write(Json.MAPPER.valueToTree(command)), code));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return "/api/v1/experiments/" + created.json().get("id").textValue();
  }

  /** Puts a script into the person's files and runs it as a trial; the path of the experiment. */
  private String script(Person person, String text, String arguments) throws Exception {
    String file = "/api/v1/files/%s/code/hostile.py".formatted(person.name());
    assertThat(users.send(person, "PUT", file, text).status()).isIn(200, 201);
    return experiment(
        person, "python3 hostile.py " + arguments, "/mnt/%s/code".formatted(person.name()));
  }

  private void awaitDone(Person person, String experiment) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(users.get(person, experiment).json().get("status").asText())
                .isEqualTo("DONE"));
  }

  private String trial(Person person, String experiment) throws Exception {
    return experiment
        + "/trials/"
        + users.get(person, experiment + "/trials").json().at("/items/0/id").textValue();
  }

  private List<String> said(Person person, String experiment) throws Exception {
    return users.get(person, trial(person, experiment) + "/logs/stdout").body().lines().toList();
  }

  @Test
  void aTrialSeesNothingOfTheProcessesOfTheServerAndOfOthers() throws Exception {
    experiment(bob, "PASSWORD=marmalade sleep 98.75", "/usr/share");
    await().atMost(Duration.ofSeconds(30)).until(() -> !sleepers().isEmpty());
    String id = script(ann, PROCESSES, server.pid() + " " + String.join(" ", sleepers()));
    awaitDone(ann, id);
    assertThat(said(ann, id)).containsExactly("looked", "orrery: final 1");
  }

  private static List<String> sleepers() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains("sleep 98.75"))
        .map(process -> Long.toString(process.pid()))
        .toList();
  }

  @Test
  void aTrialIsLetInAtNoPortWithATokenThatItGuessesOrHasOfItsOwn() throws Exception {
    String other = experiment(bob, "sleep 98.75", "/usr/share");
    await().atMost(Duration.ofSeconds(30)).until(() -> !sleepers().isEmpty());
    String theirs = trial(bob, other);
    int own = FreePort.take();
    Reply opened = users.send(bob, "PUT", other + "/port", "{\"port\":" + own + "}");
    assertThat(opened.status()).as(opened.body()).isEqualTo(204);
    int notebook = notebook();
    try (RouterProcess router = RouterProcess.start(temp)) {
      Set<Integer> ports = ListeningPorts.of(server.pid());
      assertThat(ports).contains(server.url().getPort(), own).hasSizeGreaterThanOrEqualTo(3);
      if (notebook != 0) {
        assertThat(ports).contains(notebook);
      }
      ports.addAll(ListeningPorts.of(router.pid()));
      assertThat(ports).hasSizeGreaterThanOrEqualTo(5);
      ports.remove(notebook);
      List<String> places = new ArrayList<>();
      for (int port : ports) {
        for (String path : List.of("/", "/metrics", "/api/v1/routes", "/api/v1/nni/experiment")) {
          places.add(place(port, path));
        }
        places.add(
            "%d bobs.notebook.orrery.localhost:%d /api/status %s".formatted(port, port, METHODS));
      }
      int api = server.url().getPort();
      for (String path : PRIVATE) {
        places.add(place(api, path));
      }
      for (String path : List.of("", "/stop", "/port")) {
        places.add(place(api, other + path));
      }
      for (String path : List.of("", "/logs/stdout", "/cancel")) {
        places.add(place(api, theirs + path));
      }
      if (notebook != 0) {
        // Jupyter answers HEAD with 405, and GET / with a redirection, without looking at tokens.
        for (String path :
            List.of("/api/status", "/api/contents", "/api/kernels", "/api/sessions")) {
          places.add(place(notebook, path).replace("HEAD,", ""));
        }
      }
      users.send(ann, "PUT", "/api/v1/files/ann/code/places", String.join("\n", places));
      String id = script(ann, PORTS, "places");
      awaitDone(ann, id);
      assertThat(said(ann, id)).containsExactly("asked", "orrery: final 1");
    }
  }

  private static String place(int port, String path) {
    return "%d 127.0.0.1:%d %s %s".formatted(port, port, path, METHODS);
  }

  /** The port of a running notebook of Bob's; 0 where there is no Jupyter. */
  private int notebook() throws Exception {
    if (SearchPath.of(System.getenv()).find("jupyter-notebook").isEmpty()) {
      return 0;
    }
    Reply created =
        users.send(
            bob,
            "POST",
            "/api/v1/notebooks",
            "{\"name\":\"bobs\",\"project\":\"public\",\"ide\":\"jupyter\"}");
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(users.get(bob, "/api/v1/notebooks/bobs").json().at("/state/status").asText())
                .isEqualTo("RUNNING"));
    String endpoint = users.get(bob, BOBS_WORKLOAD).json().at("/replicas/0/endpoint").asText();
    return Integer.parseInt(endpoint.split(":")[1]);
  }

  @Test
  void socketsFifosAndDevicesOfATrialHoldNothingUp() throws Exception {
    String id = script(ann, ODD_FILES, "");
    awaitDone(ann, id);

    JsonNode listed = users.get(ann, "/api/v1/files/ann/odd").json().get("items");
    assertThat(
            listed
                .valueStream()
                .map(item -> item.get("name").asText() + ":" + item.get("kind").asText()))
        .contains("fifo:other", "socket:other", "zero:link", "plain:file")
        .noneMatch(name -> name.startsWith("block") || name.startsWith("character"));
    String trial = trial(ann, id);
    assertThat(users.get(ann, trial + "/files").body()).contains("plain");
    for (String odd : List.of("fifo", "socket", "zero")) {
      assertThat(users.get(ann, "/api/v1/files/ann/odd/" + odd).status()).isEqualTo(409);
      assertThat(users.get(ann, trial + "/file?path=" + odd).status()).as(odd).isBetween(400, 499);
      assertThat(users.send(ann, "PUT", "/api/v1/files/ann/odd/" + odd + "/x", "x").status())
          .isEqualTo(409);
    }

    // The same directory as code: what is no file stays behind or is not opened.
    String second = experiment(ann, "sh run.sh", "/mnt/ann/odd");
    awaitDone(ann, second);
    String put =
        "{kind: Pipeline, name: odd, tasks: [{name: make,"
            + " command: 'mkdir $ORRERY_OUTPUTS/d && mkfifo $ORRERY_OUTPUTS/d/fifo && echo x > $ORRERY_OUTPUTS/d/x',"
            + " outputs: {d: {path: d}}}]}";
    assertThat(users.send(ann, "PUT", "/api/v1/pipelines/odd", put).status()).isEqualTo(201);
    Reply begun = users.send(ann, "POST", "/api/v1/pipelines/odd/run", "{}");
    String run = "/api/v1/runs/" + begun.json().get("id").textValue();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(users.get(ann, run).json().get("status").asText())
                .as(users.get(ann, run + "/steps/make").body())
                .isEqualTo("SUCCEEDED"));

    for (String odd : List.of("fifo", "socket", "zero")) {
      assertThat(users.send(ann, "DELETE", "/api/v1/files/ann/odd/" + odd, "").status())
          .isEqualTo(204);
    }
    assertThat(users.send(ann, "DELETE", "/api/v1/files/ann/odd?recursive=true", "").status())
        .isEqualTo(204);
    assertThat(users.send(ann, "DELETE", id, "").status()).isIn(200, 202, 204);
  }
}
