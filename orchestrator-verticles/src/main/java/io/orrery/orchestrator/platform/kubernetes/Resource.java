package io.orrery.orchestrator.platform.kubernetes;

/**
 * A type of object that an API server serves.
 *
 * @param group empty for the core group
 * @param plural as in URLs, lower case
 */
public record Resource(String group, String version, String kind, String plural) {
  static final Resource POD = new Resource("", "v1", "Pod", "pods");
  static final Resource POD_LOG = new Resource("", "v1", "Pod", "pods/log");
  static final Resource SECRET = new Resource("", "v1", "Secret", "secrets");
  static final Resource NAMESPACE = new Resource("", "v1", "Namespace", "namespaces");
  static final Resource QUOTA = new Resource("", "v1", "ResourceQuota", "resourcequotas");

  /** What pods use, as the metrics server of a cluster tells it. */
  static final Resource POD_METRICS =
      new Resource("metrics.k8s.io", "v1beta1", "PodMetrics", "pods");

  /** The share of GPUs that pods use, as an adapter of metrics tells it. */
  static final Resource POD_GPU_USAGE =
      new Resource("custom.metrics.k8s.io", "v1beta1", "Pod", "pods/container_gpu_usage");

  public static final Resource SERVICE = new Resource("", "v1", "Service", "services");
  public static final Resource DEPLOYMENT = new Resource("apps", "v1", "Deployment", "deployments");
  public static final Resource AUTOSCALER =
      new Resource("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers");

  public static final Resource CLAIM =
      new Resource("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");

  /** {@code group/version}, or the version alone in the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The same type in another version. */
  public Resource in(String other) {
    return new Resource(group, other, kind, plural);
  }
}
