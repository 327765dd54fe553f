package io.orrery.compute.runtime;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.Eventually;
import io.orrery.core.bus.contract.Shells.Output;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.project.Mounts;
import io.orrery.core.workload.Probe;
import io.orrery.core.workload.Replica;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Resources;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The surroundings of the cases of a runtime: programs, specifications, and waiting for states. */
public abstract class RuntimeFixture {
  /** The name of the first workload. */
  protected static final WorkloadRef HELLO = new WorkloadRef(WorkloadKind.SERVICE, "hello");

  /** The number that the specification writes; a process is given another one. */
  private static final int WRITTEN = 8_080;

  /** Every change that the runtime has told of. */
  protected final Queue<WorkloadRef> told = new ConcurrentLinkedQueue<>();

  protected Vertx vertx = Vertx.vertx();
  protected Runtime runtime;

  private final HttpClient client = HttpClient.newHttpClient();

  /** Opens the runtime of one more server over the same machine and files. */
  protected abstract Runtime open() throws Exception;

  /** The image in which Python runs; null for the machine's own. */
  protected abstract String image();

  /** The mounts that a program needs. */
  protected Mounts mounts() {
    return Mounts.NONE;
  }

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

  /** How many programs of the machine have a command line that ends so. */
  protected static long programs(String command) {
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").endsWith(command))
        .count();
  }

  /** The small web server with further variables. */
  protected WorkloadSpec web(Map<String, String> environment) {
    return program(List.of("python3", "-u", "-c", WebProgram.TEXT), environment);
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
        mounts());
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
    return get(endpoint, path, Duration.ofSeconds(30));
  }

  private String get(String endpoint, String path, Duration limit) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://" + endpoint + path)).timeout(limit).build(),
            BodyHandlers.ofString())
        .body();
  }

  /** Has its program end with an exit code. */
  protected void crash(Replica replica, int code) throws Exception {
    String endpoint = replica.endpoints().get("http-main");
    String pid = get(replica, "/pid");
    var _ =
        client.sendAsync(
            HttpRequest.newBuilder(URI.create("http://" + endpoint + "/exit?" + code)).build(),
            BodyHandlers.discarding());
    Eventually.until(
        "it has ended",
        () -> {
          try {
            // A container that has ended resets no connection.
            return !get(endpoint, "/pid", Duration.ofMillis(500)).equals(pid);
          } catch (IOException e) {
            return true;
          }
        });
  }

  /** The lines by which programs of a replica have told of their starts, once there is one. */
  protected long starts(ReplicaRef ref) throws Exception {
    Eventually.until("it has told of a start", () -> log(ref, false).contains("started"));
    return log(ref, false).lines().filter(line -> line.startsWith("started")).count();
  }

  protected String log(ReplicaRef ref, boolean previous) throws Exception {
    return text(await(runtime.readLog(ref, previous, 0, 1 << 20)));
  }

  protected static String text(LogPiece piece) {
    return new String(piece.bytes(), StandardCharsets.UTF_8);
  }

  /** Reads until a text has come. */
  protected static String shellOutput(ReplicaShell shell, String text) throws Exception {
    StringBuilder all = new StringBuilder();
    while (all.indexOf(text) < 0) {
      Output output = await(shell.read());
      assertThat(output.ended()).as("%s", all).isFalse();
      all.append(new String(output.bytes(), StandardCharsets.UTF_8));
    }
    return all.toString();
  }

  protected static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(180, SECONDS);
  }

  /** Has a program end, and takes its port before it is started again. */
  protected ServerSocket takePortOf(Replica replica) throws Exception {
    for (Replica present = replica; ; present = ready(ref(1, 0))) {
      crash(present, 1);
      try {
        return listenOn(port(present));
      } catch (BindException e) {
        // It was started again first.
      }
    }
  }

  protected static ServerSocket listenOn(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress("127.0.0.1", port));
    return socket;
  }

  protected static int port(Replica replica) {
    String endpoint = replica.endpoints().get("http-main");
    return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
  }
}
