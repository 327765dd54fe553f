package io.orrery.orchestrator.runtime.kubernetes;

import io.orrery.kubernetes.ClusterAddress;

/**
 * A Kubernetes cluster on which services and steps run, as the configuration names it.
 *
 * @param name lower-case letters, digits and hyphens
 * @param address with the namespace of services
 * @param steps with the namespace of steps of pipelines
 */
public record KubernetesCluster(String name, ClusterAddress address, ClusterAddress steps) {}
