package io.orrery.orchestrator.spec;

import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;

/** The schema of several platforms that share the trials of one experiment. */
final class HybridSchema {
  /** What stands beside a platform's own keys. */
  static final Schema SHARE =
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

  static final Schema SCHEMA =
      PlatformSchemas.COMMON.and(
          Schema.of(
              Field.of(
                      "services",
                      new ValueType.Anything(),
                      "the platforms, each with keys of its own and any of "
                          + String.join(", ", SHARE.names()))
                  .asRequired()));

  private HybridSchema() {}
}
