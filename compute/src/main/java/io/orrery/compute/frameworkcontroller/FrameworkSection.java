package io.orrery.compute.frameworkcontroller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.ClusterSection;
import io.orrery.compute.kubernetes.OlderClusterSection;
import io.orrery.compute.section.OlderSection;
import io.orrery.core.schema.Field;
import io.orrery.core.schema.Schema;
import io.orrery.core.schema.ValueType;
import io.orrery.core.schema.Walk;
import java.util.List;
import java.util.Map;

/** The section of trials that are Frameworks of FrameworkController. */
public final class FrameworkSection extends ClusterSection {
  private static final ValueType TEXT = new ValueType.Text();
  private static final ValueType FILE = new ValueType.File();
  private static final ValueType COUNT = new ValueType.Whole(1, 10_000);

  private static final String NNI_IMAGE = "msranni/nni:latest";

  public static final Schema COMPLETION =
      Schema.of(
          Field.of(
              "minFailedTaskCount",
              new ValueType.Whole(-1, 10_000),
              "how many failed tasks fail the attempt; -1 for none"),
          Field.of(
              "minSucceedTaskCount",
              new ValueType.Whole(-1, 10_000),
              "how many tasks must succeed; -1 for all"));

  public static final Schema TASK_ROLE =
      Schema.of(
              Field.of("name", TEXT, "lower-case letters and digits").asRequired(),
              Field.of("taskNumber", COUNT, "how many pods").or(1),
              Field.of("command", TEXT, "the shell command; trialCommand when it is not set"),
              Field.of(
                  "frameworkAttemptCompletionPolicy",
                  new ValueType.Section(COMPLETION),
                  "when the attempt is over"),
              OWN_TEMPLATE)
          .and(pod(NNI_IMAGE));

  public static final Schema SCHEMA =
      CLUSTER.and(
          Schema.of(
              Field.of(
                  "taskRoles",
                  new ValueType.ListOf(new ValueType.Section(TASK_ROLE)),
                  "the task roles"),
              Field.of(
                  "configPath",
                  FILE,
                  "a Framework written for FrameworkController, whose roles and pods are taken"),
              REPORTING));

  @Override
  public String platform() {
    return "frameworkcontroller";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  protected void own(ObjectNode root, ObjectNode service, Walk walk) {
    boolean written = service.has("configPath");
    new FrameworkTemplate(walk).read(service);
    JsonNode roles = service.path("taskRoles");
    if (roles.isMissingNode() && !written && !walk.excused(AT + "/taskRoles")) {
      walk.refuse(AT + "/taskRoles", "is missing: the roles of a trial, or a configPath");
    }
    if (roles.isArray() && roles.isEmpty()) {
      walk.refuse(AT + "/taskRoles", "must have at least one role");
    }
    for (int i = 0; i < roles.size(); i++) {
      String name = roles.get(i).path("name").asText("a");
      if (!name.matches("[a-z0-9]{1,31}")) {
        walk.refuse(
            AT + "/taskRoles/" + i + "/name",
            "must be 1 to 31 lower-case letters and digits, this is '" + name + "'");
      }
      inherit(service, roles.get(i));
    }
  }

  @Override
  protected List<JsonNode> roles(ObjectNode service) {
    return service.path("taskRoles").valueStream().toList();
  }

  @Override
  protected List<String> roleNames(ObjectNode service) {
    return roles(service).stream().map(role -> role.path("name").asText()).toList();
  }

  @Override
  public OlderSection older() {
    return new OlderClusterSection(
        "frameworkcontrollerConfig",
        OlderSection.table(
            "serviceAccountName", "serviceAccountName",
            "configPath", "configPath",
            "namespace", "namespace",
            "reuse", "reuseMode"),
        Map.of(),
        List.of("taskRoles"));
  }
}
