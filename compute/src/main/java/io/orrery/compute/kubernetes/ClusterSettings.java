package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.CarriedSteps;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.json.Json;
import io.orrery.core.json.Pointer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import io.orrery.kubernetes.ClusterAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys that all platforms on Kubernetes share, out of a validated configuration. */
public final class ClusterSettings {
  private final JsonNode settings;

  private ClusterSettings(JsonNode settings) {
    this.settings = settings;
  }

  public static ClusterSettings of(JobSpec job) {
    return new ClusterSettings(Json.MAPPER.valueToTree(job.trainingService().settings().values()));
  }

  public ClusterAddress cluster() {
    return new ClusterAddress(text("kubeconfig"), text("context"), text("namespace"));
  }

  /**
   * Checks the files of registries that roles name; looks at the disk.
   *
   * @return the faults, by the pointers of the files' keys
   */
  public static List<Finding> check(JobSpec job) {
    List<Finding> findings = new ArrayList<>();
    check(of(job).settings, "/trainingService", findings);
    return findings;
  }

  private static void check(JsonNode section, String at, List<Finding> findings) {
    for (Map.Entry<String, JsonNode> entry : section.properties()) {
      String there = Pointer.child(at, entry.getKey());
      if (entry.getKey().equals("privateRegistryAuthPath")) {
        try {
          PullSecret.of(Path.of(entry.getValue().asText()));
        } catch (ProblemException e) {
          findings.add(new Finding(there, e.problem().detail()));
        }
      } else {
        check(entry.getValue(), there, findings);
      }
    }
    for (int i = 0; section.isArray() && i < section.size(); i++) {
      check(section.get(i), Pointer.child(at, i), findings);
    }
  }

  /** The fields that every pod gets, by strategic merge; empty for none. */
  public ObjectNode podTemplate() {
    return podTemplate(settings);
  }

  private static ObjectNode podTemplate(JsonNode section) {
    return section.path("podTemplate") instanceof ObjectNode template
        ? template
        : Json.MAPPER.createObjectNode();
  }

  /** Seconds that an ended job stays. */
  public long keep() {
    return settings.path("ttlSecondsAfterFinished").asLong();
  }

  public @Nullable String text(String key) {
    return settings.path(key).textValue();
  }

  /** A section, or nothing that has no keys. */
  public JsonNode section(String key) {
    return settings.path(key);
  }

  /**
   * A role out of its section.
   *
   * @param name as the keeper is to know it
   * @param pods how many there are
   * @param job gives what the section leaves open
   */
  public static Role role(String name, int pods, JsonNode section, JobSpec job) {
    JsonNode command =
        section.has("command") ? section.path("command") : section.path("trialCommand");
    return new Role(
        name,
        pods,
        command.isTextual() ? command.textValue() : job.command(),
        section.path("codeDirectory").asText(job.codeDirectory()),
        null,
        section.path("dockerImage").asText(),
        section.has("cpuNumber") ? section.path("cpuNumber").doubleValue() : null,
        section.has("memorySize") ? section.path("memorySize").longValue() : null,
        section.has("gpuNumber")
            ? Integer.valueOf(section.path("gpuNumber").intValue())
            : job.gpuNumber(),
        section.path("privateRegistryAuthPath").textValue(),
        podTemplate(section));
  }

  /**
   * The same, of one pod whose image has the code at {@code codeDirectory} of the section. That of
   * a step is brought all the same.
   */
  public static Role roleInImage(String name, JsonNode section, JobSpec job) {
    Role given = role(name, 1, section, job);
    if (CarriedSteps.isStep(job)) {
      return given;
    }
    return new Role(
        name,
        1,
        given.command(),
        null,
        section.path("codeDirectory").textValue(),
        given.image(),
        given.cpus(),
        given.memory(),
        given.gpus(),
        given.pullSecret(),
        given.template());
  }

  /** The same roles, first the one that is to report, where the configuration names it. */
  public List<Role> inOrder(List<Role> roles) {
    String reporting = text("reportingRole");
    return roles.stream()
        .sorted(Comparator.comparing(role -> !role.name().equals(reporting)))
        .toList();
  }

  /** The whole section, as {@link #role} reads it. */
  public JsonNode all() {
    return settings;
  }
}
