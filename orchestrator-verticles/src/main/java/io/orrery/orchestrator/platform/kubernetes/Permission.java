package io.orrery.orchestrator.platform.kubernetes;

import java.util.ArrayList;
import java.util.List;

/**
 * A right that the server needs in the namespace. This is the one list of them: it is checked
 * before trials run, and the manifest of the least role is compared with it.
 *
 * @param verbs as roles name them
 * @param needed whether trials need it; else only who checks does
 */
record Permission(Resource type, List<String> verbs, boolean needed) {
  private static final Resource EVENT = new Resource("", "v1", "Event", "events");

  Permission {
    verbs = List.copyOf(verbs);
  }

  /** Everything that attempts of a kind need. */
  static List<Permission> of(JobKind kind) {
    List<Permission> all = new ArrayList<>();
    all.add(needed(kind.resource(), "create", "get", "list", "watch", "delete"));
    all.add(needed(Resource.POD, "list", "watch", "delete"));
    all.add(needed(Resource.SECRET, "create", "list", "patch", "delete"));
    all.add(needed(EVENT, "list"));
    kind.companionTypes()
        .forEach(type -> all.add(needed(type, "create", "list", "patch", "delete")));
    return all;
  }

  /** The permissions that checks alone use. */
  static List<Permission> ofChecks() {
    return List.of(
        new Permission(Resource.NAMESPACE, List.of("get"), false),
        new Permission(Resource.QUOTA, List.of("list"), false),
        new Permission(Resource.CLAIM, List.of("get"), false));
  }

  /** The permissions that the replicas of services need in their namespace. */
  static List<Permission> ofReplicas() {
    return List.of(
        needed(Resource.POD, "create", "get", "list", "watch", "delete"),
        needed(Resource.POD_LOG, "get"),
        needed(Resource.SECRET, "create", "list", "patch", "delete"),
        needed(EVENT, "list"),
        needed(Resource.CLAIM, "get"),
        new Permission(Resource.NAMESPACE, List.of("get"), false));
  }

  /** The permissions by which services have ports at addresses of the cluster. */
  static List<Permission> ofExposure() {
    return List.of(needed(Resource.SERVICE, "create", "get", "list", "patch", "delete"));
  }

  /** The permissions by which services scale by what their replicas use. */
  static List<Permission> ofUse() {
    return List.of(
        new Permission(Resource.POD_METRICS, List.of("list"), false),
        new Permission(Resource.POD_GPU_USAGE, List.of("get"), false));
  }

  /** The permissions by which a cluster scales services by itself. */
  static List<Permission> ofAutoscaling() {
    return List.of(
        needed(Resource.DEPLOYMENT, "create", "get", "list", "patch", "delete"),
        needed(Resource.AUTOSCALER, "create", "get", "list", "patch", "delete"));
  }

  private static Permission needed(Resource type, String... verbs) {
    return new Permission(type, List.of(verbs), true);
  }

  /** The type as roles name it: {@code jobs.batch}. */
  String name() {
    return type.plural() + (type.group().isEmpty() ? "" : "." + type.group());
  }
}
