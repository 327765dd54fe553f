package io.orrery.gateway.launch;

import io.orrery.compute.runtime.container.ContainerCluster;
import io.orrery.compute.runtime.kubernetes.KubernetesCluster;
import io.orrery.core.project.ExternalAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A configured cluster on which services run, by its runtime. */
sealed interface RuntimeCluster {
  /** The address of its services whose project names none. */
  List<ExternalAddress> addresses();

  /** The image of its services whose document names none; null for none. */
  @Nullable String image();

  /** A container engine of this machine. */
  record OfContainers(
      ContainerCluster cluster, List<ExternalAddress> addresses, @Nullable String image)
      implements RuntimeCluster {}

  /** A namespace of a Kubernetes cluster. */
  record OfKubernetes(
      KubernetesCluster cluster, List<ExternalAddress> addresses, @Nullable String image)
      implements RuntimeCluster {}
}
