package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.batch.StandIn;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of OpenPAI's job protocol, version 2, and that there is nothing else in a document. */
final class Protocol {
  private Protocol() {}

  /** The first thing that is wrong with a job; null when nothing is. */
  static @Nullable String fault(JsonNode job) {
    String unknown =
        StandIn.unknown(
            job,
            "protocolVersion",
            "name",
            "version",
            "contributor",
            "description",
            "type",
            "prerequisites",
            "parameters",
            "secrets",
            "jobRetryCount",
            "taskRoles",
            "deployments",
            "defaults",
            "extras");
    if (unknown != null) {
      return unknown + " is no property of a job";
    }
    if (!job.path("protocolVersion").asText().equals("2")) {
      return "protocolVersion must be 2";
    }
    if (!job.path("type").asText().equals("job")) {
      return "type must be job";
    }
    String name = job.path("name").asText();
    if (!name.matches("[a-zA-Z0-9_-]{1,255}")) {
      return "name does not match ^[a-zA-Z0-9_-]+$";
    }
    if (job.has("jobRetryCount") && !isCount(job.path("jobRetryCount"), 0)) {
      return "jobRetryCount must be an integer >= 0";
    }
    Set<String> images = new HashSet<>();
    for (JsonNode prerequisite : job.path("prerequisites")) {
      String fault = prerequisite(prerequisite, images);
      if (fault != null) {
        return fault;
      }
    }
    String more =
        StandIn.unknown(
            job.path("extras"), "submitFrom", "storages", "hivedScheduler", "gangAllocation");
    if (more != null) {
      return more + " is no property of extras";
    }
    JsonNode roles = job.path("taskRoles");
    if (!roles.isObject() || roles.isEmpty()) {
      return "taskRoles is missing";
    }
    for (Map.Entry<String, JsonNode> role : roles.properties()) {
      String fault = role(role.getKey(), role.getValue(), images);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable String prerequisite(JsonNode item, Set<String> images) {
    String unknown =
        StandIn.unknown(
            item,
            "protocolVersion",
            "name",
            "version",
            "contributor",
            "description",
            "type",
            "auth",
            "uri");
    if (unknown != null) {
      return unknown + " is no property of a prerequisite";
    }
    if (!item.path("name").isTextual() || !item.has("uri")) {
      return "a prerequisite needs name and uri";
    }
    if (item.path("type").asText().equals("dockerimage")
        && !images.add(item.path("name").asText())) {
      return "Duplicate dockerimage prerequisites";
    }
    return null;
  }

  private static @Nullable String role(String name, JsonNode role, Set<String> images) {
    if (!name.matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
      return name + " is no name of a task role";
    }
    String unknown =
        StandIn.unknown(
            role,
            "instances",
            "completion",
            "taskRetryCount",
            "dockerImage",
            "data",
            "output",
            "script",
            "extraContainerOptions",
            "resourcePerInstance",
            "commands");
    if (unknown != null) {
      return unknown + " is no property of a task role";
    }
    if (!images.contains(role.path("dockerImage").asText())) {
      return "Prerequisite " + role.path("dockerImage").asText() + " does not exist.";
    }
    JsonNode resource = role.path("resourcePerInstance");
    if (!isCount(resource.path("cpu"), 1)
        || !isCount(resource.path("memoryMB"), 1)
        || !isCount(resource.path("gpu"), 0)) {
      return "resourcePerInstance needs cpu, memoryMB and gpu";
    }
    if (role.has("instances") && !isCount(role.path("instances"), 1)) {
      return "instances must be an integer >= 1";
    }
    JsonNode commands = role.path("commands");
    boolean texts = commands.isArray() && !commands.isEmpty();
    for (JsonNode command : commands) {
      texts &= command.isTextual() && !command.textValue().isBlank();
    }
    return texts ? null : "commands must be a list of texts";
  }

  private static boolean isCount(JsonNode number, int least) {
    return number.isIntegralNumber() && number.intValue() >= least;
  }
}
