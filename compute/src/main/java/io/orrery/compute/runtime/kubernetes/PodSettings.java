package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.project.NodeSelector;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.VolumeMount;
import io.orrery.core.project.WorkloadRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares the settings of a project with what a cluster has. Blocks. */
final class PodSettings {
  private PodSettings() {}

  /**
   * Looks for claims and nodes.
   *
   * @param namespaces those in which programs of the project run
   */
  static SettingsLook look(ProjectSettings settings, List<PodNamespace> namespaces) {
    String mountsUnknown = null;
    Map<VolumeMount, String> mounts = new HashMap<>();
    try {
      for (PodNamespace namespace : namespaces) {
        addMissing(settings, namespace, mounts);
      }
    } catch (IOException e) {
      mountsUnknown = "the claims could not be looked at: " + e.getMessage();
    }
    String nodes = null;
    String nodesUnknown = null;
    try {
      nodes = settings.choosesNodes() ? missingNodes(settings, namespaces.getFirst()) : null;
    } catch (IOException e) {
      nodesUnknown = "the nodes could not be looked at: " + e.getMessage();
    }
    return new SettingsLook(mounts, nodes, mountsUnknown, nodesUnknown);
  }

  private static void addMissing(
      ProjectSettings settings, PodNamespace namespace, Map<VolumeMount, String> mounts)
      throws IOException {
    Map<String, String> missing = namespace.missingClaims(PodCheck.claims(settings.mounts()));
    for (VolumeMount mount : settings.mounts().mounts()) {
      String sentence = missing.get(mount.source());
      if (sentence != null && mount.kind().isClaim()) {
        mounts.putIfAbsent(mount, sentence);
      }
    }
  }

  /** The sentence about the nodes that programs without GPUs need; null when there are some. */
  private static @Nullable String missingNodes(ProjectSettings settings, PodNamespace namespace)
      throws IOException {
    Map<WorkloadRole, String> missing = new EnumMap<>(WorkloadRole.class);
    for (WorkloadRole role : WorkloadRole.values()) {
      String selector;
      try {
        selector = selector(settings.placement(role, 0, null));
      } catch (ProblemException e) {
        return e.problem().detail();
      }
      if (!namespace.hasNode(selector)) {
        missing.put(role, selector);
      }
    }
    return missing.isEmpty()
        ? null
        : "no node of the cluster has the labels %s: label one, or change the settings"
            .formatted(
                missing.entrySet().stream()
                    .map(each -> each.getValue() + " for " + words(each.getKey()))
                    .collect(Collectors.joining("; ")));
  }

  private static String words(WorkloadRole role) {
    return switch (role) {
      case NOTEBOOK -> "notebooks";
      case TRAIN -> "trials and steps";
      case SERVICE -> "services";
    };
  }

  /** The labels of nodes, as Kubernetes writes them. */
  private static String selector(NodePlacement nodes) {
    List<String> parts = new ArrayList<>();
    nodes.nodeSelector().forEach((key, value) -> parts.add(key + "=" + value));
    if (!nodes.orgs().isEmpty()) {
      parts.add(NodeSelector.ORG + " in (" + String.join(",", nodes.orgs()) + ")");
    }
    return String.join(",", parts);
  }
}
