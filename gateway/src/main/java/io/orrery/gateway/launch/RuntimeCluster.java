package io.orrery.gateway.launch;

import io.orrery.orchestrator.runtime.container.ContainerCluster;
import io.orrery.orchestrator.runtime.kubernetes.KubernetesCluster;

/** A configured cluster on which services run, by its runtime. */
sealed interface RuntimeCluster {
  /** A container engine of this machine. */
  record OfContainers(ContainerCluster cluster) implements RuntimeCluster {}

  /** A namespace of a Kubernetes cluster. */
  record OfKubernetes(KubernetesCluster cluster) implements RuntimeCluster {}
}
