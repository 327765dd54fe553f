package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.Keepers;
import io.orrery.core.id.AttemptRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The objects of jobs as they would be created, without a cluster. */
public final class JobObjects {
  private JobObjects() {}

  /** The job of an attempt, whose keeper calls a server on this machine. */
  public static JsonNode job(Blueprint blueprint, AttemptRef attempt) {
    String name = blueprint.kind().name(attempt);
    Manifests manifests = new Manifests("test", attempt, name);
    Keepers.Launch launch =
        new Keepers.Launch(
            List.of("python3", "keeper"), Map.of("ORRERY_URL", "http://127.0.0.1:8080"), "token");
    List<JobKind.RolePods> pods = new ArrayList<>();
    for (Role role : blueprint.roles()) {
      pods.add(
          new JobKind.RolePods(
              role,
              PodTemplate.of(
                  blueprint,
                  role,
                  launch,
                  PodTemplate.variables(blueprint, role, launch, attempt),
                  false,
                  attempt,
                  name,
                  manifests.labels(),
                  "tokens")));
    }
    return manifests.job(blueprint.kind(), pods, "tokens");
  }
}
