package io.orrery.orchestrator.runtime;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaPhase;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.orrery.orchestrator.platform.Eventually;
import io.orrery.orchestrator.runtime.Runtime.Wanted;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The behaviour of every runtime, with real programs. The program is a small web server in Python
 * that does what requests tell it.
 */
public abstract class RuntimeContract {
  /** The name of the first workload. */
  protected static final WorkloadRef HELLO = new WorkloadRef(WorkloadKind.SERVICE, "hello");

  private static final Duration GRACE = Duration.ofSeconds(20);

  /** The number that the specification writes; a process is given another one. */
  private static final int WRITTEN = 8_080;

  private static final String PROGRAM =
      """
      import http.server, os, signal, sys, time, urllib.parse
      sys.stdout.reconfigure(line_buffering=True)
      print('started', os.getpid())
      if os.environ.get('TERM_IS_IGNORED'):
          signal.signal(signal.SIGTERM, lambda *_: print('asked to end'))
      time.sleep(float(os.environ.get('START_SECONDS', '0')))
      status = [int(os.environ.get('HEALTH', '200'))]
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              path = urllib.parse.urlsplit(self.path)
              value = urllib.parse.unquote(path.query)
              code, answer = 200, ''
              if path.path == '/health': code = status[0]
              elif path.path == '/pid': answer = str(os.getpid())
              elif path.path == '/env': answer = os.environ.get(value, '-')
              elif path.path == '/set': status[0] = int(value)
              elif path.path == '/print': print(value)
              elif path.path == '/exit':
                  print('leaving'); print('with', value)
                  sys.stdout.flush()
                  os._exit(int(value))
              self.send_response(code)
              self.end_headers()
              self.wfile.write(answer.encode())
          def log_message(self, *_): pass
      class Server(http.server.ThreadingHTTPServer):
          request_queue_size = 50
      host = os.environ.get('LISTEN_HOST', '127.0.0.1')
      if ':' in host:
          import socket
          Server.address_family = socket.AF_INET6
      Server((host, int(os.environ.get('LISTEN') or os.environ['PORT'])), Handler).serve_forever()
      """;

  /** Every change that the runtime has told of. */
  protected final Queue<WorkloadRef> told = new ConcurrentLinkedQueue<>();

  protected Vertx vertx = Vertx.vertx();
  protected Runtime runtime;

  private final HttpClient client = HttpClient.newHttpClient();

  /** Opens the runtime of one more server over the same machine and files. */
  protected abstract Runtime open() throws Exception;

  /** The image in which Python runs; null for the machine's own. */
  protected abstract String image();

  /** Fails when a process, a file or anything else of a workload is left. */
  protected abstract void assertNothingLeftOf(WorkloadRef workload) throws Exception;

  @BeforeEach
  void openFirst() throws Exception {
    runtime = open();
    runtime.follow(told::add);
  }

  @AfterEach
  void removeAll() throws Exception {
    await(runtime.adopt(List.of()));
    await(runtime.remove(HELLO));
    await(runtime.close());
    await(vertx.close());
  }

  @Test
  void aReplicaRunsAndIsReadyAtItsEndpoint() throws Exception {
    want(1, web(Map.of("GREETING", "hello")), 1);

    Replica replica = ready(ref(1, 0));

    assertThat(get(replica, "/env?GREETING")).isEqualTo("hello");
    assertThat(get(replica, "/env?ORRERY_WORKLOAD")).isEqualTo("service/hello");
    assertThat(get(replica, "/env?ORRERY_REPLICA")).isEqualTo("service/hello/1-0");
    assertThat(get(replica, "/env?PORT_HTTP_MAIN")).isEqualTo(get(replica, "/env?PORT"));
    assertThat(replica.reason()).isNull();
    assertThat(replica.restarts()).isZero();
    assertThat(told).contains(HELLO);
  }

  @Test
  void aReplicaIsNotReadyBeforeItsProbeSaysSo() throws Exception {
    want(1, web(Map.of("HEALTH", "503")), 1);
    Replica starting = until(ref(1, 0), it -> String.valueOf(it.reason()).contains("503"));
    assertThat(starting.phase()).isEqualTo(ReplicaPhase.STARTING);

    get(starting, "/set?200");

    assertThat(ready(ref(1, 0)).reason()).isNull();
  }

  @Test
  void aReplicaWithoutAProbeIsReadyAsSoonAsItRuns() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, withReadiness(spec, null), 1);

    ready(ref(1, 0));
  }

  @Test
  void aReplicaThatStopsAnsweringIsUnreadyUntilItAnswersAgain() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));

    get(replica, "/set?500");
    Replica unready = until(ref(1, 0), it -> it.phase() == ReplicaPhase.UNREADY);
    assertThat(unready.reason()).contains("500");
    assertThat(unready.endpoints()).isEqualTo(replica.endpoints());
    get(replica, "/set?204");

    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  @Test
  void aCrashIsRestartedWithBackoffAndTellsExitCodeAndLastLines() throws Exception {
    want(1, web(Map.of()), 1);
    Replica first = ready(ref(1, 0));
    String pid = get(first, "/pid");

    crash(first, 7);
    Replica down = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);
    assertThat(down.exitCode()).isEqualTo(7);
    assertThat(down.reason()).contains("exit code 7");
    assertThat(down.lastLines()).endsWith("leaving", "with 7");
    assertThat(down.endpoints()).isEmpty();

    Replica again = until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(again.exitCode()).isEqualTo(7);
    assertThat(get(again, "/pid")).isNotEqualTo(pid);
  }

  @Test
  void aStartThatExceedsItsDeadlineEndsWithThatReason() throws Exception {
    want(1, withDeadline(web(Map.of("HEALTH", "503")), Duration.ofSeconds(2)), 1);

    Replica late = until(ref(1, 0), it -> it.phase() == ReplicaPhase.BACKOFF);

    assertThat(late.reason()).contains("not ready within 2 s").contains("503");
    until(ref(1, 0), it -> it.restarts() >= 1);
  }

  @Test
  void aSlowStartWithinItsDeadlineBecomesReady() throws Exception {
    want(1, web(Map.of("START_SECONDS", "1.5")), 1);

    assertThat(ready(ref(1, 0)).restarts()).isZero();
  }

  @Test
  void aNewGenerationRunsBesideTheOldOneUntilThatIsDrained() throws Exception {
    want(1, web(Map.of("GREETING", "old")), 1);
    Replica old = ready(ref(1, 0));

    want(2, web(Map.of("GREETING", "new")), 1);
    Replica fresh = ready(ref(2, 0));
    assertThat(get(old, "/env?GREETING")).isEqualTo("old");
    assertThat(get(fresh, "/env?GREETING")).isEqualTo("new");

    await(runtime.drain(ref(1, 0), GRACE));
    gone(ref(1, 0));
    assertThat(ready(ref(2, 0)).endpoints()).isEqualTo(fresh.endpoints());
  }

  @Test
  void anOlderGenerationThatArrivesLateChangesNothing() throws Exception {
    want(2, web(Map.of("GREETING", "new")), 1);
    ready(ref(2, 0));

    want(1, web(Map.of("GREETING", "old")), 3);
    want(2, web(Map.of("GREETING", "new")), 2);

    ready(ref(2, 1));
    assertThat(runtime.now(HELLO).replicas())
        .extracting(Replica::ref)
        .containsExactly(ref(2, 0), ref(2, 1));
  }

  @Test
  void aSmallerNumberEndsNoReplicaThatIsNotDrained() throws Exception {
    want(1, web(Map.of()), 3);
    String kept = get(ready(ref(1, 0)), "/pid");
    ready(ref(1, 1));
    ready(ref(1, 2));

    want(1, web(Map.of()), 1);
    assertThat(runtime.now(HELLO).replicas()).hasSize(3);
    await(runtime.drain(ref(1, 1), GRACE));
    await(runtime.drain(ref(1, 2), GRACE));
    gone(ref(1, 1));
    gone(ref(1, 2));

    assertThat(runtime.now(HELLO).replicas()).hasSize(1);
    assertThat(get(ready(ref(1, 0)), "/pid")).isEqualTo(kept);
  }

  @Test
  void aDrainedReplicaThatIsStillWantedIsReplaced() throws Exception {
    want(1, web(Map.of()), 1);
    ready(ref(1, 0));

    await(runtime.drain(ref(1, 0), GRACE));

    gone(ref(1, 0));
    ready(ref(1, 1));
  }

  @Test
  void aDrainedReplicaIsAskedFirstAndKilledAfterItsGrace() throws Exception {
    want(1, web(Map.of("TERM_IS_IGNORED", "1")), 1);
    Replica replica = ready(ref(1, 0));
    want(1, web(Map.of()), 0);
    Duration grace = Duration.ofSeconds(2);

    Instant asked = Instant.now();
    await(runtime.drain(ref(1, 0), grace));
    Eventually.until("it is asked to end", () -> log(ref(1, 0), false).contains("asked to end"));
    assertThat(until(ref(1, 0), it -> true).phase()).isEqualTo(ReplicaPhase.STOPPING);
    assertThat(get(replica, "/pid")).isNotEmpty();

    gone(ref(1, 0));
    assertThat(Duration.between(asked, Instant.now())).isGreaterThanOrEqualTo(grace);
    await(runtime.drain(ref(1, 0), grace));
    assertThat(runtime.now(HELLO).replicas()).isEmpty();
  }

  @Test
  void aRemovedWorkloadLeavesNothing() throws Exception {
    want(1, web(Map.of()), 2);
    ready(ref(1, 0));
    ready(ref(1, 1));
    want(2, web(Map.of()), 1);
    ready(ref(2, 0));

    await(runtime.remove(HELLO));

    assertThat(runtime.now(HELLO).replicas()).isEmpty();
    assertNothingLeftOf(HELLO);
    await(runtime.remove(HELLO));
  }

  @Test
  void aWorkloadThatWasRemovedCanBeCreatedAgain() throws Exception {
    want(3, web(Map.of("GREETING", "old")), 1);
    ready(ref(3, 0));
    Future<Void> removed = runtime.remove(HELLO);

    want(1, web(Map.of("GREETING", "new")), 1);
    await(removed);

    assertThat(get(ready(ref(1, 0)), "/env?GREETING")).isEqualTo("new");
  }

  @Test
  void aReplicaOutlivesTheServerAndIsAdoptedWithItsPort() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica before = ready(ref(1, 0));
    String pid = get(before, "/pid");

    await(runtime.close());
    assertThat(get(before, "/pid")).isEqualTo(pid);
    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    // Without a moment in which it is not ready: else it would leave the route table.
    assertThat(runtime.now(HELLO).replicas())
        .singleElement()
        .satisfies(replica -> {
          assertThat(replica.phase()).isEqualTo(ReplicaPhase.READY);
          assertThat(replica.endpoints()).isEqualTo(before.endpoints());
          assertThat(replica.restarts()).isZero();
        });
    assertThat(get(before, "/pid")).isEqualTo(pid);
    assertThat(log(ref(1, 0), false)).contains("started " + pid);
    crash(before, 3);
    assertThat(until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1).exitCode())
        .isEqualTo(3);
  }

  @Test
  void aCrashWhileTheServerWasAwayIsRestarted() throws Exception {
    WorkloadSpec spec = web(Map.of());
    want(1, spec, 1);
    Replica before = ready(ref(1, 0));
    await(runtime.close());
    crash(before, 9);

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 1))));

    assertThat(until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1).exitCode())
        .isEqualTo(9);
  }

  @Test
  void aWorkloadThatWasRemovedWhileTheServerWasAwayIsRemovedAtAdoption() throws Exception {
    want(1, web(Map.of()), 2);
    ready(ref(1, 0));
    ready(ref(1, 1));
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of()));

    Eventually.until(
        "nothing is left",
        () -> {
          try {
            assertNothingLeftOf(HELLO);
            return true;
          } catch (AssertionError e) {
            return false;
          }
        });
    assertThat(runtime.now(HELLO).replicas()).isEmpty();
  }

  @Test
  void aDrainGoesOnAfterTheServerWasAway() throws Exception {
    WorkloadSpec spec = web(Map.of("TERM_IS_IGNORED", "1"));
    want(1, spec, 1);
    ready(ref(1, 0));
    want(1, spec, 0);
    await(runtime.drain(ref(1, 0), Duration.ofSeconds(1)));
    await(runtime.close());

    runtime = open();
    await(runtime.adopt(List.of(new Wanted(HELLO, 1, spec, 0))));

    gone(ref(1, 0));
  }

  @Test
  void aWorkloadThatIsWantedTwiceRunsOnce() throws Exception {
    WorkloadSpec spec = web(Map.of());
    Future<Void> first = runtime.want(HELLO, 1, spec, 1);
    Future<Void> second = runtime.want(HELLO, 1, spec, 1);
    await(first);
    await(second);
    ready(ref(1, 0));
    want(1, spec, 1);

    assertThat(runtime.now(HELLO).replicas()).hasSize(1);
    assertThat(log(ref(1, 0), false).split("started", -1)).hasSize(2);
  }

  @Test
  void logsAreReadWhileItRunsAndOfTheProgramBefore() throws Exception {
    want(1, web(Map.of()), 1);
    Replica replica = ready(ref(1, 0));
    get(replica, "/print?one");
    get(replica, "/print?two");
    Eventually.until("it is written", () -> log(ref(1, 0), false).endsWith("one\ntwo\n"));

    LogPiece end = await(runtime.readLog(ref(1, 0), false, -4, 100));
    assertThat(text(end)).isEqualTo("two\n");
    assertThat(end.complete()).isFalse();
    LogPiece beyond = await(runtime.readLog(ref(1, 0), false, end.next(), 100));
    assertThat(beyond.bytes()).isEmpty();
    assertThat(beyond.next()).isEqualTo(end.next());
    LogPiece part = await(runtime.readLog(ref(1, 0), false, end.next() - 8, 3));
    assertThat(text(part)).isEqualTo("one");
    assertThat(part.next()).isEqualTo(end.next() - 5);

    crash(replica, 5);
    until(ref(1, 0), it -> it.phase().isReady() && it.restarts() == 1);
    assertThat(log(ref(1, 0), true)).endsWith("one\ntwo\nleaving\nwith 5\n");
    assertThat(await(runtime.readLog(ref(1, 0), true, end.next(), 100)).complete()).isTrue();
    assertThat(log(ref(1, 0), false)).doesNotContain("one");
  }

  @Test
  void theLogOfAProgramThatHasEndedIsComplete() throws Exception {
    want(1, program(List.of("python3", "-c", "print('for nothing'); exit(4)"), Map.of()), 1);

    Eventually.until(
        "it is complete",
        () -> {
          try {
            LogPiece piece = await(runtime.readLog(ref(1, 0), false, 0, 1000));
            return piece.complete() && text(piece).equals("for nothing\n");
          } catch (AssertionError notYet) {
            return false;
          }
        });
    assertThat(until(ref(1, 0), it -> it.exitCode() != null).exitCode()).isEqualTo(4);
  }

  @Test
  void aMissingMountIsFoundBeforeAnythingStarts() throws Exception {
    WorkloadSpec spec = web(Map.of());
    WorkloadSpec mounted =
        new WorkloadSpec(
            spec.command(),
            spec.image(),
            spec.directory(),
            spec.environment(),
            spec.ports(),
            spec.readiness(),
            spec.startupDeadline(),
            spec.grace(),
            spec.resources(),
            Mounts.read("nobody-has-this(pvc):/mnt").value());

    assertThat(await(runtime.check(mounted)))
        .anySatisfy(sentence -> assertThat(sentence).contains("nobody-has-this"));
    assertThat(await(runtime.check(spec))).isEmpty();
  }

  /** The small web server with further variables. */
  protected WorkloadSpec web(Map<String, String> environment) {
    return program(List.of("python3", "-u", "-c", PROGRAM), environment);
  }

  /** A program with one port and a quick probe. */
  protected WorkloadSpec program(List<String> command, Map<String, String> environment) {
    return new WorkloadSpec(
        command,
        image(),
        null,
        new HashMap<>(environment),
        List.of(new WorkloadPort("http-main", WRITTEN)),
        new Probe("http-main", "/health", Duration.ofMillis(100), Duration.ofSeconds(10)),
        Duration.ofSeconds(100),
        Duration.ofSeconds(10),
        Resources.UNLIMITED,
        Mounts.NONE);
  }

  protected static WorkloadSpec withReadiness(WorkloadSpec spec, Probe readiness) {
    return new WorkloadSpec(
        spec.command(),
        spec.image(),
        spec.directory(),
        spec.environment(),
        spec.ports(),
        readiness,
        spec.startupDeadline(),
        spec.grace(),
        spec.resources(),
        spec.mounts());
  }

  protected static WorkloadSpec withDeadline(WorkloadSpec spec, Duration deadline) {
    return new WorkloadSpec(
        spec.command(),
        spec.image(),
        spec.directory(),
        spec.environment(),
        spec.ports(),
        spec.readiness(),
        deadline,
        spec.grace(),
        spec.resources(),
        spec.mounts());
  }

  protected static ReplicaRef ref(long generation, int ordinal) {
    return new ReplicaRef(HELLO, generation, ordinal);
  }

  protected void want(long generation, WorkloadSpec spec, int replicas) throws Exception {
    await(runtime.want(HELLO, generation, spec, replicas));
  }

  protected Replica ready(ReplicaRef ref) throws Exception {
    return until(ref, replica -> replica.phase().isReady());
  }

  /** Waits until a replica is there and as it should be. */
  protected Replica until(ReplicaRef ref, Predicate<Replica> condition) throws Exception {
    Replica[] last = new Replica[1];
    Eventually.until(
        ref + " is as it should be",
        () -> {
          for (Replica replica : runtime.now(ref.workload()).replicas()) {
            last[0] = replica.ref().equals(ref) ? replica : last[0];
          }
          return last[0] != null && condition.test(last[0]);
        });
    return last[0];
  }

  protected void gone(ReplicaRef ref) throws Exception {
    Eventually.until(
        ref + " is gone",
        () -> runtime.now(ref.workload()).replicas().stream().noneMatch(r -> r.ref().equals(ref)));
  }

  protected String get(Replica replica, String path) throws Exception {
    return get(replica.endpoints().get("http-main"), path);
  }

  protected String get(String endpoint, String path) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://" + endpoint + path)).build(),
            BodyHandlers.ofString())
        .body();
  }

  /** Has its program end with an exit code. */
  protected void crash(Replica replica, int code) throws Exception {
    String pid = get(replica, "/pid");
    var _ =
        client.sendAsync(
            HttpRequest.newBuilder(
                    URI.create("http://" + replica.endpoints().get("http-main") + "/exit?" + code))
                .build(),
            BodyHandlers.discarding());
    Eventually.until(
        "it has ended",
        () -> {
          try {
            return !get(replica, "/pid").equals(pid);
          } catch (IOException e) {
            return true;
          }
        });
  }

  protected String log(ReplicaRef ref, boolean previous) throws Exception {
    return text(await(runtime.readLog(ref, previous, 0, 1 << 20)));
  }

  protected static String text(LogPiece piece) {
    return new String(piece.bytes(), StandardCharsets.UTF_8);
  }

  protected static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(180, SECONDS);
  }
}
