package io.orrery.compute.section;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;

/** The keys that every training service takes, and checks that several of them share. */
public final class CommonKeys {
  /** The name of the service and NNI's five inherited shortcuts. */
  public static final Schema SCHEMA =
      Schema.of(
          Field.of("platform", new ValueType.Text(), "where trials run"),
          Field.of("trialCommand", new ValueType.Text(), "the shell command of a trial"),
          Field.of(
              "trialCodeDirectory", new ValueType.Directory(true), "where the trial's code lies"),
          Field.of(
              "trialGpuNumber",
              new ValueType.Whole(0, Integer.MAX_VALUE),
              "how many GPUs a trial needs"),
          Field.of("nniManagerIp", new ValueType.Text(), "the address that trials call back"),
          Field.of("debug", new ValueType.Flag(), "whether to check less and log more"));

  private CommonKeys() {}

  /** Gives a section those of its keys that the top level has and it does not. */
  public static void inherit(ObjectNode root, ObjectNode service, String... keys) {
    for (String key : keys) {
      if (!service.has(key) && root.has(key)) {
        service.set(key, root.get(key));
      }
    }
  }

  /**
   * Says which keys have no effect where a trial needs no GPU.
   *
   * @param keys the section, or one of its machines, at a canonical pointer
   */
  public static void noGpus(JsonNode keys, String at, Walk walk) {
    for (String key : List.of("gpuIndices", "useActiveGpu", "maxTrialNumberPerGpu")) {
      JsonNode value = keys.path(key);
      boolean standard = value.isNumber() ? value.longValue() == 1 : !value.asBoolean(true);
      if (keys.has(key) && !standard) {
        walk.notice(
            "%s has no effect: trials are given no GPUs without %s."
                .formatted(
                    walk.places().name(at + "/" + key), walk.places().name("/trialGpuNumber")));
      }
    }
  }
}
