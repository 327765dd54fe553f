package io.orrery.compute.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.image.EnvironmentChoice;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.Shown;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;
import java.util.Map;

/** The section of trials that are processes of this machine. */
public final class LocalSection implements ServiceSection {
  private static final String AT = "/trainingService";

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of("useActiveGpu", new ValueType.Flag(), "whether busy GPUs may be used"),
              Field.of(
                      "maxTrialNumberPerGpu",
                      new ValueType.Whole(1, Integer.MAX_VALUE),
                      "how many trials may share a GPU")
                  .or(1),
              Field.of("gpuIndices", new ValueType.GpuIndices(), "which GPUs may be used"),
              Field.of(
                  EnvironmentChoice.KEY,
                  new ValueType.Text(),
                  "the environment of Python packages in which trials run: env:NAME"),
              Field.of("reuseMode", new ValueType.Flag(), "whether trials share one environment")
                  .or(false)));

  @Override
  public String platform() {
    return "local";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public void complete(ObjectNode root, ObjectNode service, Walk walk) {
    boolean own = service.has("nniManagerIp");
    if (own || root.has("nniManagerIp")) {
      walk.notice("nniManagerIp has no effect: local trials run on this machine.");
      service.remove("nniManagerIp");
      root.remove("nniManagerIp");
    }
    gpus(service, walk);
    image(service, walk);
    if (service.path("reuseMode").booleanValue()) {
      walk.notice("reuseMode has no effect: every local trial is a process of its own.");
    }
  }

  private static void image(ObjectNode service, Walk walk) {
    JsonNode image = service.get(EnvironmentChoice.KEY);
    if (image != null && EnvironmentName.parse(image.asText()).isEmpty()) {
      walk.refuse(
          AT + "/" + EnvironmentChoice.KEY,
          "must be an environment of Python packages such as env:tool, which ImageBuild with"
              + " requirements makes; the platform local runs no containers, and this is "
              + Shown.of(image));
    }
  }

  private static void gpus(ObjectNode service, Walk walk) {
    JsonNode number = service.get("trialGpuNumber");
    JsonNode indices = service.get("gpuIndices");
    if (number == null || number.longValue() == 0) {
      CommonKeys.noGpus(service, AT, walk);
      return;
    }
    if (indices != null && indices.size() < number.longValue()) {
      walk.refuse(
          AT + "/gpuIndices",
          "must name at least as many GPUs as a trial needs, "
              + number
              + "; this names "
              + indices.size());
    }
    if (!service.has("useActiveGpu")) {
      service.put("useActiveGpu", false);
      walk.notice(
          "useActiveGpu is not set: GPUs that another process computes on are left to it (false).");
    }
  }

  @Override
  public boolean startsInWorkspaces() {
    return true;
  }

  @Override
  public OlderSection older() {
    return new OlderSection(
        List.of("localConfig"),
        OlderSection.table(
            "gpuIndices", "gpuIndices",
            "maxTrialNumPerGpu", "maxTrialNumberPerGpu",
            "useActiveGpu", "useActiveGpu"),
        Map.of());
  }
}
