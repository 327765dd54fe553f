package io.orrery.kubernetes;

/**
 * A type of object that an API server serves.
 *
 * @param group empty for the core group
 * @param plural as in URLs, lower case
 */
public record ResourceType(String group, String version, String kind, String plural) {
  public static final ResourceType POD = new ResourceType("", "v1", "Pod", "pods");
  public static final ResourceType POD_LOG = new ResourceType("", "v1", "Pod", "pods/log");
  public static final ResourceType POD_EXEC = new ResourceType("", "v1", "Pod", "pods/exec");
  public static final ResourceType SECRET = new ResourceType("", "v1", "Secret", "secrets");
  public static final ResourceType NAMESPACE =
      new ResourceType("", "v1", "Namespace", "namespaces");
  public static final ResourceType QUOTA =
      new ResourceType("", "v1", "ResourceQuota", "resourcequotas");

  /** What pods use, as the metrics server of a cluster tells it. */
  public static final ResourceType POD_METRICS =
      new ResourceType("metrics.k8s.io", "v1beta1", "PodMetrics", "pods");

  /** The share of GPUs that pods use, as an adapter of metrics tells it. */
  public static final ResourceType POD_GPU_USAGE =
      new ResourceType("custom.metrics.k8s.io", "v1beta1", "Pod", "pods/container_gpu_usage");

  public static final ResourceType SERVICE = new ResourceType("", "v1", "Service", "services");
  public static final ResourceType DEPLOYMENT =
      new ResourceType("apps", "v1", "Deployment", "deployments");
  public static final ResourceType AUTOSCALER =
      new ResourceType("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers");

  public static final ResourceType CLAIM =
      new ResourceType("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");

  /** {@code group/version}, or the version alone in the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The same type in another version. */
  public ResourceType in(String other) {
    return new ResourceType(group, other, kind, plural);
  }
}
