package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.kubernetes.ClusterAddress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A template of the jobs of an experiment.
 *
 * @param roles the one that reports first
 * @param container what the main container of a pod is called: some operators look for a name
 * @param pod fields that every pod gets, by strategic merge; empty for none
 * @param serviceAccount null for the namespace's own
 * @param storage where outputs go besides the server; null for nowhere
 * @param callback the host that pods reach the server at; null for that of its advertised URL
 * @param project whose mounts, nodes and accounts of registries the pods have
 * @param notices what people should know of how it was read, in full sentences
 */
public record Blueprint(
    ClusterAddress cluster,
    JobKind kind,
    List<Role> roles,
    String container,
    ObjectNode pod,
    @Nullable String serviceAccount,
    @Nullable Storage storage,
    @Nullable String callback,
    ProjectPods project,
    List<String> notices) {
  public Blueprint {
    roles = List.copyOf(roles);
    notices = List.copyOf(notices);
  }

  /**
   * Makes a template from the settings that all platforms on Kubernetes share, and those of one.
   *
   * @param settings of the experiment
   */
  public static Blueprint of(
      ClusterSettings settings, JobKind kind, List<Role> roles, String container) {
    return new Blueprint(
        settings.cluster(),
        kind,
        roles,
        container,
        settings.podTemplate(),
        settings.text("serviceAccountName"),
        Storage.of(settings.section("storage")),
        settings.text("nniManagerIp"),
        ProjectPods.of(settings.all()),
        List.of());
  }

  /** The same with something that people should know. */
  public Blueprint noticing(String notice) {
    return new Blueprint(
        cluster,
        kind,
        roles,
        container,
        pod,
        serviceAccount,
        storage,
        callback,
        project,
        Stream.concat(notices.stream(), Stream.of(notice)).toList());
  }
}
