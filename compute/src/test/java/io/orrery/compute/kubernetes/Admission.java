package io.orrery.compute.kubernetes;

import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import org.jspecify.annotations.Nullable;

/**
 * The access control of a {@link MockCluster}, and the life of its namespace: what changes on a
 * real cluster in the middle of an experiment.
 */
final class Admission {
  private volatile @Nullable String token;
  private volatile Namespace namespace = Namespace.ACTIVE;

  /** The life of the namespace. */
  enum Namespace {
    ACTIVE,
    /** Nothing new is taken; what is there is being deleted. */
    TERMINATING,
    GONE
  }

  /** From now on only who brings this token is known; null for all callers. */
  void accept(@Nullable String known) {
    token = known;
  }

  void namespace(Namespace as) {
    namespace = as;
  }

  /** The refusal of a client's request; null when it is let through. */
  @Nullable MockResponse refusal(RecordedRequest request) {
    String known = token;
    if (known != null && !("Bearer " + known).equals(request.getHeader("Authorization"))) {
      return MockCluster.status(401, "Unauthorized", "Unauthorized");
    }
    String path = request.getPath().replaceFirst("\\?.*", "");
    String type = String.valueOf(request.getHeader("Content-Type"));
    boolean creates =
        path.contains("/namespaces/")
            && (request.getMethod().equals("POST")
                || (request.getMethod().equals("PATCH") && type.contains("apply-patch")));
    return switch (namespace) {
      case ACTIVE -> null;
      case TERMINATING ->
          creates
              ? MockCluster.status(
                  403,
                  "Forbidden",
                  "jobs.batch \"x\" is forbidden: unable to create new content in namespace trials"
                      + " because it is being terminated")
              : null;
      case GONE ->
          creates ? MockCluster.status(404, "NotFound", "namespaces \"trials\" not found") : null;
    };
  }
}
