package io.orrery.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * The address of a cluster: kubeconfig, context and namespace.
 *
 * @param kubeconfig absolute path; null for {@code KUBECONFIG}, {@code ~/.kube/config}, or the
 *     service account of the pod that the server itself runs in
 * @param context of the kubeconfig; null for its current one
 * @param namespace null for that of the context, else {@code default}
 */
public record ClusterAddress(
    @Nullable String kubeconfig, @Nullable String context, @Nullable String namespace) {}
