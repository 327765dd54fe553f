package io.orrery.core.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a project, a JSON object of at most 50,000 characters:
 *
 * <pre>{@code
 * {"cluster": "dev", "node_selector": "org=public", "org": "public", "area": "north",
 *  "volume_mount": "kubeflow-user-workspace(pvc):/mnt;/data/share(hostpath):/share",
 *  "SERVICE_EXTERNAL_IP": "10.0.0.7|gpu.example.com"}
 * }</pre>
 *
 * <p>A key whose value is null is dropped, and so is one of these keys with a blank text. {@code
 * index}, {@code help_url} and {@code TKE_EXISTED_LBID} are checked and kept; any other key is kept
 * and noticed.
 *
 * @param cluster the name of the cluster that runs the workloads; null for the server's own
 * @param nodeSelector the labels of {@code node_selector}, without those of {@code org}
 * @param orgs the resource groups of the key {@code org}; empty when it is not set. They agree with
 *     the label {@code org} of the selector when both are set
 * @param mounts the mounts of {@code volume_mount}, without the defaults
 * @param externalAddresses the addresses of {@code SERVICE_EXTERNAL_IP}
 * @param area a word for the place of the machines, which inference services see; null for none
 * @param others the JSON text of the value of every other key, in the order of the keys
 */
public record ProjectSettings(
    @Nullable String cluster,
    NodeSelector nodeSelector,
    List<String> orgs,
    Mounts mounts,
    List<ExternalAddress> externalAddresses,
    @Nullable String area,
    Map<String, String> others) {
  /** The largest number of characters of a text. */
  public static final int MOST_CHARACTERS = 50_000;

  /** The deepest nesting of a text: the settings themselves are level 1. */
  public static final int MOST_DEPTH = 20;

  /** The settings of a project that sets nothing. */
  public static final ProjectSettings NONE =
      new ProjectSettings(
          null, NodeSelector.ANY, List.of(), Mounts.NONE, List.of(), null, Map.of());

  public ProjectSettings {
    orgs = List.copyOf(orgs);
    externalAddresses = List.copyOf(externalAddresses);
    others = Collections.unmodifiableMap(new TreeMap<>(others));
  }

  /**
   * The outcome of reading.
   *
   * @param settings complete only when there are no findings
   * @param findings all that is wrong, each with its pointer, the position in its text, and the
   *     line; at most 200 and one that counts the rest
   * @param notices remarks on settings that are accepted, such as a key that the server does not
   *     know; at most 200 and one that counts the rest
   */
  public record Reading(ProjectSettings settings, List<Finding> findings, List<Finding> notices) {
    public Reading {
      findings = List.copyOf(findings);
      notices = List.copyOf(notices);
    }

    /**
     * The settings of a document without findings.
     *
     * @throws io.orrery.core.problem.ProblemException Refused, with every finding
     */
    public ProjectSettings orThrow() {
      if (!findings.isEmpty()) {
        throw Problem.Refused.of(findings).toException();
      }
      return settings;
    }
  }

  /** Reads a JSON text; never throws for its content. A blank text is {@link #NONE}. */
  public static Reading read(String text) {
    return SettingsReader.read(text);
  }

  /**
   * Reads settings that are a part of a larger document, whose lines the caller adds.
   *
   * @param pointer where in the document they stand
   */
  public static Reading read(JsonNode json, String pointer) {
    return SettingsReader.read(json, pointer);
  }

  /** The mounts of every new workload: those of the settings, and the defaults. */
  public Mounts effectiveMounts() {
    return mounts.withProjectDefaults();
  }

  /**
   * Computes the labels of the nodes that may run a workload, by {@link NodeSelector#forWorkload}
   * with the resource groups of {@code org}.
   *
   * @throws io.orrery.core.problem.ProblemException Refused, when the workload contradicts the
   *     selector
   */
  public NodePlacement placement(WorkloadRole role, int gpus, @Nullable String gpuType) {
    return nodeSelector.forWorkload(
        role, gpus, gpuType, orgs.isEmpty() ? null : String.join(",", orgs));
  }

  /**
   * The labels of the nodes that may run a workload, as {@link #placement} has them; null when the
   * settings choose no nodes, so that any node may.
   */
  public @Nullable NodePlacement nodes(WorkloadRole role, int gpus) {
    return choosesNodes() ? placement(role, gpus, null) : null;
  }

  /** Whether the machines of the project are some of those of its cluster. */
  public boolean choosesNodes() {
    return !orgs.isEmpty() || !nodeSelector.labels().isEmpty();
  }

  /**
   * The canonical JSON text: one line, keys in alphabetical order, each text in its canonical form.
   * Reading it gives equal settings.
   */
  public String text() {
    return CanonicalJson.write(json());
  }

  /** The settings as a JSON object, with the texts in canonical form. */
  public ObjectNode json() {
    ObjectNode json = Json.MAPPER.createObjectNode();
    others.forEach((key, value) -> json.set(key, Json.parse(value)));
    put(json, SettingsReader.CLUSTER, cluster);
    put(json, SettingsReader.NODE_SELECTOR, nodeSelector.text());
    put(json, SettingsReader.ORG, String.join(",", orgs));
    put(json, SettingsReader.VOLUME_MOUNT, mounts.text());
    put(json, SettingsReader.AREA, area);
    if (externalAddresses.size() > 1) {
      ArrayNode list = json.putArray(SettingsReader.SERVICE_EXTERNAL_IP);
      externalAddresses.forEach(address -> list.add(address.text()));
    } else {
      put(json, SettingsReader.SERVICE_EXTERNAL_IP, ExternalAddress.text(externalAddresses));
    }
    return json;
  }

  private static void put(ObjectNode json, String key, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      json.put(key, text);
    }
  }
}
