package io.orrery.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * Which cluster, as whom, and where in it.
 *
 * @param kubeconfig absolute path; null for {@code KUBECONFIG}, {@code ~/.kube/config}, or the
 *     service account of the pod that the server itself runs in
 * @param context of the kubeconfig; null for its current one
 * @param namespace null for that of the context, else {@code default}
 */
public record ClusterAddress(
    @Nullable String kubeconfig, @Nullable String context, @Nullable String namespace) {}
