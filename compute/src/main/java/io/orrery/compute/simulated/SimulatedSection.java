package io.orrery.compute.simulated;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.Map;

/** The section of trials that do not run, as a scenario says. */
public final class SimulatedSection implements ServiceSection {
  private static final ValueType SHARE = new ValueType.Between(0, 1);

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of(
                      "objective",
                      new ValueType.Text(),
                      "the result of a trial, a formula over its parameters")
                  .asRequired(),
              Field.of(
                      "noise",
                      new ValueType.Between(0, Double.MAX_VALUE),
                      "standard deviation of what chance adds to a result")
                  .or(0),
              Field.of(
                      "reports",
                      new ValueType.Whole(0, 10_000),
                      "how many intermediate results a trial has")
                  .or(10),
              span("queueing", "how long a trial waits on the platform").or("0s"),
              span("duration", "how long a trial runs").or("1m"),
              span("delay", "how late its news arrive").or("0s"),
              Field.of(
                  "outputs",
                  new ValueType.AnyObject(),
                  "what outputs of a step are, by their names; without it, the text simulated"),
              Field.of("failures", SHARE, "the share of attempts that end with exit code 1").or(0),
              Field.of("losses", SHARE, "the share whose end the platform does not know").or(0),
              Field.of("duplicates", SHARE, "the share of news that arrive twice").or(0),
              Field.of(
                  "outages",
                  new ValueType.Section(
                      Schema.of(
                          span("every", "the time from one outage to the next").asRequired(),
                          span("lasting", "how long one lasts").asRequired())),
                  "when the platform cannot be reached"),
              Field.of(
                      "speed",
                      new ValueType.Above(0),
                      "simulated seconds in a second of the server's")
                  .or(60)));

  @Override
  public String platform() {
    return "simulated";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  /** A simulated trial runs no command, in no directory; the file need not make them up. */
  @Override
  public void read(ObjectNode root, ObjectNode service, Walk walk) {
    Map.of("trialCommand", "true", "trialCodeDirectory", "/")
        .forEach((key, idle) -> {
          if (!root.has(key) && !service.has(key)) {
            service.put(key, idle);
          }
        });
  }

  @Override
  public boolean startsInWorkspaces() {
    return true;
  }

  private static Field span(String name, String meaning) {
    return Field.of(name, new ValueType.Text(), meaning);
  }
}
