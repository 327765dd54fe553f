package io.orrery.orchestrator.runtime.kubernetes;

import io.orrery.orchestrator.platform.kubernetes.ClusterAddress;

/**
 * A Kubernetes cluster on which services run, as the configuration names it.
 *
 * @param name lower-case letters, digits and hyphens
 * @param address with the namespace of services
 */
public record KubernetesCluster(String name, ClusterAddress address) {}
