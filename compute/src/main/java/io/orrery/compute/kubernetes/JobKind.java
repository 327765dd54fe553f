package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.ResourceType;
import java.util.List;

/** A kind of object that runs an attempt: how it is written, and how its status reads. Pure. */
public interface JobKind {
  ResourceType resource();

  /** The name of the object of an attempt. */
  default String name(AttemptRef attempt) {
    return JobName.dashed(attempt);
  }

  /**
   * The {@code spec} of the object.
   *
   * @param roles with the template of their pods
   */
  ObjectNode spec(List<RolePods> roles);

  /**
   * Other objects that go with each job, complete but for namespace, labels and owner: they are
   * created before it and die with it.
   *
   * @param name the job's
   */
  default List<ObjectNode> companions(String name) {
    return List.of();
  }

  /**
   * Fields that every pod of an attempt gets, by strategic merge before the user's own.
   *
   * @param name the job's
   */
  default ObjectNode pod(String name, ExperimentId experiment) {
    return Json.MAPPER.createObjectNode();
  }

  /**
   * Objects that all attempts of an experiment share, complete but for namespace and labels: they
   * go with the experiment.
   */
  default List<ObjectNode> shared(ExperimentId experiment) {
    return List.of();
  }

  /**
   * Whether its controller may end a pod with SIGTERM and run its command again in another one,
   * while the attempt goes on.
   */
  default boolean restarts() {
    return false;
  }

  /** Seconds that a job stays in the cluster after its end; 0 where that is not sure. */
  default long keep() {
    return 0;
  }

  /** The types of what {@link #companions} and {@link #shared} give. */
  default List<ResourceType> companionTypes() {
    return List.of();
  }

  /** Reads an object's {@code status}, which is missing while it is new. */
  JobState state(JsonNode status);

  /** The pods of a role, with their template. */
  record RolePods(Role role, ObjectNode template) {}
}
