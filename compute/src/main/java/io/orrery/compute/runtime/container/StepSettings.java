package io.orrery.compute.runtime.container;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.service.Submission;
import io.orrery.core.json.Json;
import io.orrery.core.project.Mounts;
import io.orrery.core.run.StepContainer;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.Resources;

/**
 * The settings of a step in a container, as its job has them.
 *
 * @param cluster that runs it
 */
record StepSettings(String cluster, String image, Mounts mounts, Resources resources) {
  static StepSettings of(Submission submission) {
    JsonNode json = Json.MAPPER.valueToTree(submission.job().trainingService().settings());
    StepContainer container = StepContainer.of(json);
    return new StepSettings(
        container.cluster(),
        container.image(),
        Mounts.read(container.mounts()).value(),
        new Resources(new Amount(0, container.milliCores()), new Amount(0, container.bytes()), 0));
  }
}
