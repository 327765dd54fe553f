package io.orrery.compute.aml;

import io.orrery.core.experiment.ExperimentSpec;
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

  static AmlSettings of(ExperimentSpec spec) {
    return new AmlSettings(
        new Workspace(
            text(spec, "subscriptionId"), text(spec, "resourceGroup"), text(spec, "workspaceName")),
        text(spec, "computeTarget"),
        text(spec, "dockerImage"),
        spec.job().command(),
        spec.job().trainingService().settings().values().get("nniManagerIp") instanceof String host
            ? host
            : null);
  }

  private static String text(ExperimentSpec spec, String key) {
    return spec.job().trainingService().settings().values().get(key) instanceof String text
        ? text
        : "";
  }
}
