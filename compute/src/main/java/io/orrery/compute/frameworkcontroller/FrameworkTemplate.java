package io.orrery.compute.frameworkcontroller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.command.TrialCommand;
import io.orrery.core.json.Document;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.schema.Walk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Framework that a user wrote for FrameworkController itself, read as task roles: what NNI calls
 * {@code configPath}. The pods stay as they are written there but for the command, which becomes
 * the trial's, and what concerns starting again: that is the server's business.
 */
final class FrameworkTemplate {
  private static final String AT = "/trainingService/configPath";
  private static final String GPU = "nvidia.com/gpu";
  private static final int MOST_BYTES = 1 << 20;

  /** NNI's, for a container that asks for nothing. */
  private static final double CPUS = 1;

  private static final long MEGABYTES = 8_192;

  private final Walk walk;

  FrameworkTemplate(Walk walk) {
    this.walk = walk;
  }

  /** Replaces the file's name in the section by the roles that it describes. */
  void read(ObjectNode service) {
    JsonNode named = service.remove("configPath");
    if (named == null) {
      return;
    }
    if (service.has("taskRoles")) {
      refuse("and taskRoles exclude each other: leave one of them out");
      return;
    }
    JsonNode template = load(Path.of(named.textValue()));
    if (template == null) {
      return;
    }
    JsonNode roles = template.at("/spec/taskRoles");
    if (!template.path("kind").asText().equals("Framework") || !roles.isArray()) {
      refuse("must name the file of a Framework with spec.taskRoles");
      return;
    }
    ArrayNode read = service.putArray("taskRoles");
    for (JsonNode role : roles) {
      ObjectNode one = role(service, role);
      if (one != null) {
        read.add(one);
      }
    }
    boolean retries =
        template.at("/spec").has("retryPolicy")
            || roles.valueStream().anyMatch(role -> role.path("task").has("retryPolicy"));
    if (retries) {
      walk.notice(
          "The retryPolicy of configPath has no effect: the server itself tries trials again, as"
              + " retry has it.");
    }
  }

  private @Nullable ObjectNode role(ObjectNode service, JsonNode role) {
    String name = role.path("name").asText();
    JsonNode containers = role.at("/task/pod/spec/containers");
    if (containers.size() != 1 || !(role.at("/task/pod") instanceof ObjectNode pod)) {
      refuse(
          "must give each role one container, the role '%s' has %d"
              .formatted(name, containers.size()));
      return null;
    }
    ObjectNode template = pod.deepCopy();
    ObjectNode one = service.objectNode();
    one.put("name", name).put("taskNumber", role.path("taskNumber").asInt(1));
    JsonNode policy = role.path("frameworkAttemptCompletionPolicy");
    one.putObject("frameworkAttemptCompletionPolicy")
        .put("minFailedTaskCount", policy.path("minFailedTaskCount").asInt(1))
        .put("minSucceedTaskCount", policy.path("minSucceededTaskCount").asInt(-1));
    ObjectNode container = (ObjectNode) template.at("/spec/containers/0");
    String command = command(container);
    if (command != null) {
      one.put("command", command);
    }
    one.put("dockerImage", container.path("image").asText("msranni/nni:latest"));
    JsonNode limits = container.at("/resources/limits");
    if (!container.has("resources")) {
      one.put("cpuNumber", CPUS).put("memorySize", MEGABYTES);
    }
    if (!limits.has(GPU)) {
      one.put("gpuNumber", 0);
    }
    container.remove(List.of("name", "command", "args"));
    ObjectNode spec = (ObjectNode) template.path("spec");
    spec.remove("restartPolicy");
    JsonNode account = spec.remove("serviceAccountName");
    if (account != null && !service.has("serviceAccountName")) {
      service.set("serviceAccountName", account);
    }
    one.set("podTemplate", template);
    return one;
  }

  /** What a shell makes the container's command of; null when its image decides. */
  private static @Nullable String command(ObjectNode container) {
    List<String> words =
        List.of("command", "args").stream()
            .flatMap(key -> container.path(key).valueStream())
            .map(JsonNode::asText)
            .toList();
    if (words.isEmpty()) {
      return null;
    }
    boolean shell = words.size() == 3 && words.get(0).endsWith("sh") && words.get(1).equals("-c");
    return shell
        ? words.get(2)
        : words.stream().map(TrialCommand::quoted).collect(Collectors.joining(" "));
  }

  private @Nullable JsonNode load(Path path) {
    try {
      if (Files.size(path) > MOST_BYTES) {
        refuse("must be at most 1 MB, " + path + " is larger");
        return null;
      }
      return Document.read(Files.readString(path)).root();
    } catch (ProblemException e) {
      refuse("is not to be read: " + e.problem().detail());
    } catch (IOException e) {
      refuse("cannot be read: " + e);
    }
    return null;
  }

  /** What is missing then because of it is not missed as well. */
  private void refuse(String predicate) {
    walk.refuse(AT, predicate);
    walk.excuse("/trialCommand");
  }
}
