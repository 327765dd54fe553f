package io.orrery.compute.runtime.kubernetes;

import io.orrery.compute.kubernetes.PodNamespace;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.core.project.NodeSelector;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.VolumeMount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    String selector = selector(settings);
    String nodes = null;
    String nodesUnknown = null;
    try {
      if (!selector.isEmpty() && !namespaces.getFirst().hasNode(selector)) {
        nodes =
            "no node of the cluster has the labels %s: label one, or change the settings"
                .formatted(selector);
      }
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

  /** The labels of the nodes of a project, as Kubernetes writes them. */
  private static String selector(ProjectSettings settings) {
    List<String> parts = new ArrayList<>();
    settings
        .nodeSelector()
        .labels()
        .forEach((key, value) -> {
          if (!key.equals(NodeSelector.ORG)) {
            parts.add(key + "=" + value);
          }
        });
    List<String> orgs =
        settings.orgs().isEmpty() ? settings.nodeSelector().orgs() : settings.orgs();
    if (!orgs.isEmpty()) {
      parts.add(NodeSelector.ORG + " in (" + String.join(",", orgs) + ")");
    }
    return String.join(",", parts);
  }
}
