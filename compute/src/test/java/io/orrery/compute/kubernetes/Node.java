package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.service.Eventually;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The only node of a {@link MockCluster}: runs a pod's command as a process of this machine and
 * ignores its image, and ends all that carries the pod's mark when it goes.
 */
final class Node {
  private static final Pattern REFERENCE = Pattern.compile("\\$(?:\\$|\\(([^)]*)\\))");
  static final String MARK = "MOCK_POD";
  private static final long GRACE_MILLIS = 1_500;
  private final MockCluster cluster;
  private final Path directory;
  private final NodeVolumes volumes;
  private final Map<String, Process> processes = new ConcurrentHashMap<>();
  private final Map<String, String> jobs = new ConcurrentHashMap<>();
  private final Map<String, String> addresses = new ConcurrentHashMap<>();
  private final Set<String> lost = ConcurrentHashMap.newKeySet();

  /** Those whose end is told when all their processes are gone, not only the first. */
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();

  Node(MockCluster cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
    this.volumes = new NodeVolumes(directory.resolve("volumes"));
  }

  /**
   * The words before those of each program, such as one that takes rights away: the lines of a file
   * of the directory that a test may write.
   */
  private List<String> launcher() throws IOException {
    Path file = directory.resolve("launcher");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  void run(JsonNode owner, JsonNode pod) {
    String uid = pod.at("/metadata/uid").asText();
    String path =
        MockCluster.path("v1", pod.at("/metadata/namespace").asText(), "pods")
            + "/"
            + pod.at("/metadata/name").asText();
    jobs.put(uid, owner.at("/metadata/name").asText());
    JsonNode container = pod.at("/spec/containers/0");
    JsonNode init = pod.at("/spec/initContainers/0");
    if (init.isObject()) {
      cluster.later(() -> {
        try {
          String startedAt = MockCluster.now();
          int code = begin(pod, init, "init").waitFor();
          if (code == 0) {
            runMain(owner, pod, path, uid, container);
          } else if (!lost.contains(uid) && !leaving.contains(uid)) {
            fail(owner, pod, path, init, ended(startedAt, code), uid);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } catch (Exception e) {
          cluster.setStatus(path, status(pod, "Failed", ended(MockCluster.now(), 127)));
          cluster.podChanged(owner);
        }
      });
    } else {
      runMain(owner, pod, path, uid, container);
    }
  }

  /** Tells that the first container of a pod has failed, with the last of what it wrote. */
  private void fail(
      JsonNode owner, JsonNode pod, String path, JsonNode init, ObjectNode state, String uid)
      throws IOException {
    String said = Files.readString(directory.resolve(uid + ".init"));
    ((ObjectNode) state.path("terminated")).put("message", said);
    ObjectNode waiting = Json.MAPPER.createObjectNode();
    waiting.putObject("waiting").put("reason", "PodInitializing");
    ObjectNode status = status(pod, "Failed", waiting);
    status
        .putArray("initContainerStatuses")
        .addObject()
        .put("name", init.path("name").asText())
        .put("image", init.path("image").asText())
        .set("state", state);
    cluster.setStatus(path, status);
    cluster.podChanged(owner);
  }

  private void runMain(JsonNode owner, JsonNode pod, String path, String uid, JsonNode container) {
    try {
      String startedAt = MockCluster.now();
      Process process = begin(pod, container, "log");
      cluster.setStatus(path, status(pod, "Running", running(startedAt)));
      cluster.podChanged(owner);
      cluster.later(() -> {
        try {
          int code = process.waitFor();
          if (!lost.contains(uid) && !leaving.contains(uid)) {
            cluster.setStatus(
                path, status(pod, code == 0 ? "Succeeded" : "Failed", ended(startedAt, code)));
            cluster.podChanged(owner);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    } catch (Exception e) {
      cluster.setStatus(path, status(pod, "Failed", ended(MockCluster.now(), 127)));
      cluster.podChanged(owner);
    }
  }

  /** Starts the command of a container of a pod, which writes to a file of the pod. */
  private Process begin(JsonNode pod, JsonNode container, String log) throws Exception {
    String uid = pod.at("/metadata/uid").asText();
    List<String> command = new ArrayList<>(launcher());
    container
        .path("command")
        .forEach(word -> command.add(volumes.here(pod, word.asText().replace("$$(", "$("))));
    container.path("args").forEach(word -> command.add(volumes.here(pod, word.asText())));
    ProcessBuilder builder = new ProcessBuilder(command);
    marked(builder, uid, environment(pod, container));
    String work = container.path("workingDir").textValue();
    if (work != null) {
      builder.directory(Path.of(volumes.here(pod, work)).toFile());
    }
    builder.redirectOutput(directory.resolve(uid + "." + log).toFile());
    Process process = builder.start();
    processes.put(uid, process);
    return process;
  }

  /**
   * Runs a command beside what a pod runs, with its variables and no settings of this user's.
   *
   * @param streams those that it has
   */
  Process command(JsonNode pod, List<String> command, NodeTerminal.Streams streams)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(NodeTerminal.words(streams, command));
    String uid = pod.at("/metadata/uid").asText();
    marked(builder, uid, environment(pod, pod.at("/spec/containers/0")));
    builder.environment().put("HOME", directory.toString());
    return builder.start();
  }

  private void marked(ProcessBuilder builder, String uid, Map<String, String> environment) {
    builder.environment().keySet().removeIf(name -> !name.equals("PATH") && !name.equals("HOME"));
    builder.environment().putAll(environment);
    builder.environment().put(MARK, uid);
    builder.environment().put("TMPDIR", directory.toString());
    builder.directory(directory.toFile()).redirectErrorStream(true);
  }

  private Map<String, String> environment(JsonNode pod, JsonNode container) throws Exception {
    Map<String, String> all = new HashMap<>();
    for (JsonNode variable : container.path("env")) {
      JsonNode secret = variable.at("/valueFrom/secretKeyRef");
      String field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
      String value = expanded(variable.path("value").asText(), all);
      if (secret.isObject()) {
        value = awaited(pod.at("/metadata/namespace").asText(), secret);
      } else if (!field.isEmpty()) {
        value = field(pod, field);
      }
      // A volume of a pod is a directory of this node.
      all.put(
          variable.path("name").asText(),
          volumes.here(pod, value).replace("/tmp/mount", directory.resolve("mount").toString()));
    }
    String address = addresses.get(pod.at("/metadata/uid").asText());
    if (address != null) {
      all.putIfAbsent("LISTEN_HOST", address);
      // All addresses of a pod are one of this machine.
      all.replace("ORRERY_LISTEN", address);
    }
    return all;
  }

  /** What the node's agent says of a pod. */
  private String field(JsonNode pod, String path) {
    return switch (path) {
      case "spec.nodeName" -> "node-1";
      case "status.hostIP" -> "127.0.0.1";
      case "status.podIP" ->
          Objects.requireNonNullElse(addresses.get(pod.at("/metadata/uid").asText()), "127.0.0.1");
      default -> pod.at("/" + path.replace('.', '/')).asText();
    };
  }

  /** A value with {@code $$} and {@code $(NAME)} replaced, as the node's agent does. */
  private static String expanded(String value, Map<String, String> before) {
    return REFERENCE
        .matcher(value)
        .replaceAll(found -> {
          String name = found.group(1);
          String text =
              name == null ? "$" : Objects.requireNonNullElse(before.get(name), found.group());
          return Matcher.quoteReplacement(text);
        });
  }

  /** Gives a pod an address of this machine, on which it listens. */
  void address(JsonNode pod, String address) {
    addresses.put(pod.at("/metadata/uid").asText(), address);
  }

  /** The log of a pod up to now; empty when it has written none. */
  String log(String uid) {
    try {
      return Files.readString(directory.resolve(uid + ".log"), StandardCharsets.ISO_8859_1);
    } catch (IOException none) {
      return "";
    }
  }

  /** A pod that is quicker than its Secret waits for it. */
  private String awaited(String namespace, JsonNode secret) throws Exception {
    String path = MockCluster.path("v1", namespace, "secrets") + "/" + secret.path("name").asText();
    String key = secret.path("key").asText();
    Eventually.until(
        "the Secret " + path,
        () -> Thread.currentThread().isInterrupted() || cluster.get(path).path("data").has(key));
    return new String(
        Base64.getDecoder().decode(cluster.get(path).path("data").path(key).asText()),
        StandardCharsets.UTF_8);
  }

  private static ObjectNode running(String at) {
    ObjectNode state = Json.MAPPER.createObjectNode();
    state.putObject("running").put("startedAt", at);
    return state;
  }

  private static ObjectNode ended(String startedAt, int code) {
    ObjectNode state = Json.MAPPER.createObjectNode();
    state
        .putObject("terminated")
        .put("exitCode", code)
        .put("reason", code == 0 ? "Completed" : "Error")
        .put("startedAt", startedAt)
        .put("finishedAt", MockCluster.now());
    return state;
  }

  private ObjectNode status(JsonNode pod, String phase, ObjectNode state) {
    JsonNode container = pod.at("/spec/containers/0");
    ObjectNode status = Json.MAPPER.createObjectNode().put("phase", phase);
    String address = addresses.get(pod.at("/metadata/uid").asText());
    if (address != null) {
      status.put("podIP", address);
    }
    ObjectNode one = status.putArray("containerStatuses").addObject();
    one.put("name", container.path("name").asText()).put("image", container.path("image").asText());
    one.set("state", state);
    return status;
  }

  /** TERM, a while, then KILL to all that has the pod's mark. */
  void end(String uid) {
    lost.add(uid);
    terminate(processes.remove(uid), GRACE_MILLIS);
    PodProcesses.kill(uid);
  }

  private static void terminate(@Nullable Process process, long grace) {
    if (process != null) {
      process.destroy();
      try {
        process.waitFor(grace, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  boolean isRunning(String uid) {
    Process process = processes.get(uid);
    return process != null && process.isAlive() && !lost.contains(uid);
  }

  /**
   * Ends a pod that is being deleted, tells how its command ended, and lets it go.
   *
   * @param seconds the grace that the request asks for; 0 for none
   */
  void leave(JsonNode pod, String path, int seconds) {
    String uid = pod.at("/metadata/uid").asText();
    if (!leaving.add(uid)) {
      return;
    }
    Process process = processes.get(uid);
    terminate(process, seconds > 0 ? seconds * 1_000L : GRACE_MILLIS);
    PodProcesses.kill(uid);
    if (process != null && !lost.contains(uid)) {
      JsonNode last = cluster.get(path).path("status");
      String startedAt = last.at("/containerStatuses/0/state/running/startedAt").asText();
      int code = exitCode(process);
      ObjectNode status = status(pod, code == 0 ? "Succeeded" : "Failed", ended(startedAt, code));
      if (last.has("conditions")) {
        status.set("conditions", last.path("conditions"));
      }
      cluster.setStatus(path, status);
      cluster.podChangedNow(owner(pod));
    }
    cluster.release(path);
    cluster.podChanged(owner(pod));
  }

  private static int exitCode(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 137;
    }
  }

  /** SIGTERM to what its pods run. */
  void terminate(String job) {
    processes.forEach((uid, process) -> {
      if (job.equals(jobs.get(uid))) {
        process.destroy();
      }
    });
  }

  /** The node dies: its processes with it, and the control plane notices. */
  void lose(String job) {
    jobs.forEach((uid, name) -> {
      if (name.equals(job)) {
        lost.add(uid);
        PodProcesses.kill(uid);
        for (JsonNode pod : cluster.list("/api/v1/namespaces/trials/pods")) {
          if (pod.at("/metadata/uid").asText().equals(uid)) {
            ObjectNode status =
                Json.MAPPER
                    .createObjectNode()
                    .put("phase", "Failed")
                    .put("reason", "NodeLost")
                    .put("message", "Node n1 which was running pod is unresponsive");
            cluster.setStatus(
                "/api/v1/namespaces/trials/pods/" + pod.at("/metadata/name").asText(), status);
            cluster.podChanged(owner(pod));
          }
        }
      }
    });
  }

  JsonNode owner(JsonNode pod) {
    JsonNode reference = pod.at("/metadata/ownerReferences/0");
    ObjectNode owner = Json.MAPPER.createObjectNode();
    owner.put("apiVersion", reference.path("apiVersion").asText());
    owner.put("kind", reference.path("kind").asText());
    owner
        .putObject("metadata")
        .put("name", reference.path("name").asText())
        .put("uid", reference.path("uid").asText())
        .put("namespace", pod.at("/metadata/namespace").asText());
    return owner;
  }

  boolean runs(String job) throws IOException {
    for (Map.Entry<String, String> each : jobs.entrySet()) {
      if (each.getValue().equals(job) && !PodProcesses.of(each.getKey()).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  void close() {
    processes
        .keySet()
        .forEach(uid -> {
          lost.add(uid);
          PodProcesses.kill(uid);
        });
  }
}
