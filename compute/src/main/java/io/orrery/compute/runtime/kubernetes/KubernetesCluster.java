package io.orrery.compute.runtime.kubernetes;

import io.orrery.kubernetes.ClusterAddress;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes cluster on which services, notebooks, steps and trials run, as the configuration
 * names it.
 *
 * @param name lower-case letters, digits and hyphens
 * @param address with the namespace of services
 * @param steps with the namespace of steps of pipelines
 * @param notebooks with the namespace of notebooks
 * @param trials with the namespace of trials of experiments
 * @param filesImage the image that fetches code and models into pods; null for that of each pod
 */
public record KubernetesCluster(
    String name,
    ClusterAddress address,
    ClusterAddress steps,
    ClusterAddress notebooks,
    ClusterAddress trials,
    @Nullable String filesImage) {
  /** A cluster on which the image of each pod fetches its code and its model. */
  public KubernetesCluster(
      String name,
      ClusterAddress address,
      ClusterAddress steps,
      ClusterAddress notebooks,
      ClusterAddress trials) {
    this(name, address, steps, notebooks, trials, null);
  }

  /**
   * The part of it on which notebooks run, whose files and labels are its own. No cluster of a
   * configuration has such a name.
   */
  public KubernetesCluster ofNotebooks() {
    return new KubernetesCluster(
        name + ".notebook", notebooks, steps, notebooks, trials, filesImage);
  }
}
