package io.orrery.compute.kubernetes;

import io.orrery.kubernetes.ResourceType;
import java.util.ArrayList;
import java.util.List;

/**
 * A right that the server needs in the namespace. This is the one list of them: it is checked
 * before trials run, and the manifest of the least role is compared with it.
 *
 * @param verbs as roles name them
 * @param needed whether trials need it; else only who checks does
 */
record Permission(ResourceType type, List<String> verbs, boolean needed) {
  private static final ResourceType EVENT = new ResourceType("", "v1", "Event", "events");

  Permission {
    verbs = List.copyOf(verbs);
  }

  /** Everything that attempts of a kind need. */
  static List<Permission> of(JobKind kind) {
    List<Permission> all = new ArrayList<>();
    all.add(needed(kind.resource(), "create", "get", "list", "watch", "delete"));
    all.add(needed(ResourceType.POD, "list", "watch", "delete"));
    all.add(needed(ResourceType.SECRET, "create", "list", "patch", "delete"));
    all.add(needed(EVENT, "list"));
    kind.companionTypes()
        .forEach(type -> all.add(needed(type, "create", "list", "patch", "delete")));
    return all;
  }

  /** The permissions that checks alone use. */
  static List<Permission> ofChecks() {
    return List.of(
        new Permission(ResourceType.NAMESPACE, List.of("get"), false),
        new Permission(ResourceType.QUOTA, List.of("list"), false),
        new Permission(ResourceType.CLAIM, List.of("get"), false));
  }

  /** The permissions that the replicas of services need in their namespace. */
  static List<Permission> ofReplicas() {
    return List.of(
        needed(ResourceType.POD, "create", "get", "list", "watch", "delete"),
        needed(ResourceType.POD_LOG, "get"),
        needed(ResourceType.SECRET, "create", "list", "patch", "delete"),
        needed(EVENT, "list"),
        needed(ResourceType.CLAIM, "get"),
        new Permission(ResourceType.NAMESPACE, List.of("get"), false));
  }

  /**
   * The permissions by which shells are opened in replicas: WebSockets are asked for with GET, and
   * newer API servers want the right to create as well.
   */
  static List<Permission> ofShells() {
    return List.of(new Permission(ResourceType.POD_EXEC, List.of("create", "get"), false));
  }

  /** The permissions by which services have ports at addresses of the cluster. */
  static List<Permission> ofExposure() {
    return List.of(needed(ResourceType.SERVICE, "create", "get", "list", "patch", "delete"));
  }

  /** The permissions by which services scale by what their replicas use. */
  static List<Permission> ofUse() {
    return List.of(
        new Permission(ResourceType.POD_METRICS, List.of("list"), false),
        new Permission(ResourceType.POD_GPU_USAGE, List.of("get"), false));
  }

  /** The permissions by which a cluster scales services by itself. */
  static List<Permission> ofAutoscaling() {
    return List.of(
        needed(ResourceType.DEPLOYMENT, "create", "get", "list", "patch", "delete"),
        needed(ResourceType.AUTOSCALER, "create", "get", "list", "patch", "delete"));
  }

  private static Permission needed(ResourceType type, String... verbs) {
    return new Permission(type, List.of(verbs), true);
  }

  /** The type as roles name it: {@code jobs.batch}. */
  String name() {
    return type.plural() + (type.group().isEmpty() ? "" : "." + type.group());
  }
}
