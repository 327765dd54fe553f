package io.orrery.compute.dlts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.section.CommonKeys;
import io.orrery.compute.section.OlderSection;
import io.orrery.compute.section.ServiceSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Hosts;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;

/** The section of trials that are jobs of a DLTS cluster. */
public final class DltsSection implements ServiceSection {
  private static final ValueType TEXT = new ValueType.Text();

  public static final Schema SCHEMA =
      CommonKeys.SCHEMA.and(
          Schema.of(
              Field.of("dashboard", TEXT, "the address of the dashboard").asRequired(),
              Field.of("dockerImage", TEXT, "the image of the container").asRequired(),
              Field.of("cluster", TEXT, "the cluster").or(".default"),
              Field.of("team", TEXT, "the team; DLWS_VC_NAME when it is not set"),
              Field.of("email", TEXT, "the account; DLWS_USER_EMAIL when it is not set"),
              Field.of(
                  "password",
                  new ValueType.Secret(),
                  "its password; DLTS_JOB_TOKEN when it is not set")));

  @Override
  public String platform() {
    return "dlts";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public boolean checkedEverywhere() {
    return true;
  }

  @Override
  public void read(ObjectNode root, ObjectNode service, Walk walk) {
    CommonKeys.inherit(root, service, "trialGpuNumber", "nniManagerIp");
    Hosts.complete(service, "dashboard", walk);
  }

  @Override
  public OlderSection older() {
    return new OlderSection(
        List.of("dltsConfig"),
        OlderSection.table(
            "dashboard", "dashboard",
            "cluster", "cluster",
            "team", "team",
            "email", "email",
            "password", "password"),
        OlderSection.table("image", "dockerImage"));
  }
}
