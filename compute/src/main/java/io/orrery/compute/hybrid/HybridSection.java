package io.orrery.compute.hybrid;

import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;

/** The section of several services that share the trials of one experiment. */
public final class HybridSection implements ServiceSection {
  /** What stands beside a platform's own keys. */
  public static final Schema SHARE =
      Schema.of(
          Field.of(
              "name", new ValueType.Text(), "what it is called; the platform when it is not set"),
          Field.of(
                  "weight",
                  new ValueType.Above(0),
                  "its share of the trials among those that could start them equally soon")
              .or(1),
          Field.of(
              "capacity",
              new ValueType.Whole(1, 1_000_000),
              "most trials there at once; as many as it takes when it is not set"));

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of(
                      "services",
                      new ValueType.Anything(),
                      "the platforms, each with keys of its own and any of "
                          + String.join(", ", SHARE.names()))
                  .asRequired()));

  @Override
  public String platform() {
    return "hybrid";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }
}
