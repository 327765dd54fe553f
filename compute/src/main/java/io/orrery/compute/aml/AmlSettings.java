package io.orrery.compute.aml;

import io.orrery.core.experiment.JobSpec;
import io.orrery.core.text.Percent;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code trainingService} of an experiment on Azure Machine Learning.
 *
 * @param callback the host that jobs reach the server at; null for that of its advertised URL
 */
record AmlSettings(
    Workspace workspace, String compute, String image, String command, @Nullable String callback) {
  static final String AT = "/trainingService";

  /** The workspace that has the jobs. */
  record Workspace(String subscription, String group, String name) {
    /** Its identifier in Azure Resource Manager, which is its path there as well. */
    String id() {
      return "/subscriptions/"
          + Percent.encoded(subscription)
          + "/resourceGroups/"
          + Percent.encoded(group)
          + "/providers/Microsoft.MachineLearningServices/workspaces/"
          + Percent.encoded(name);
    }
  }

  static AmlSettings of(JobSpec job) {
    return new AmlSettings(
        new Workspace(
            text(job, "subscriptionId"), text(job, "resourceGroup"), text(job, "workspaceName")),
        text(job, "computeTarget"),
        text(job, "dockerImage"),
        job.command(),
        job.trainingService().settings().values().get("nniManagerIp") instanceof String host
            ? host
            : null);
  }

  private static String text(JobSpec job, String key) {
    return job.trainingService().settings().values().get(key) instanceof String text ? text : "";
  }
}
