package io.orrery.compute.kubeflow;

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

/** The section of trials that are jobs of the training operators of Kubeflow. */
public final class KubeflowSection extends ClusterSection {
  /** In the order in which they speak for the attempt. */
  private static final List<String> ROLES = List.of("chief", "master", "worker", "ps", "evaluator");

  public static final Schema SCHEMA =
      CLUSTER.and(
          Schema.of(
              Field.of(
                      "operator",
                      new ValueType.Word(List.of("tf-operator", "pytorch-operator")),
                      "tf-operator or pytorch-operator")
                  .asRequired(),
              Field.of(
                      "apiVersion",
                      new ValueType.Word(List.of("v1alpha2", "v1beta1", "v1beta2", "v1")),
                      "the version of the operator's objects; another is taken where the cluster does not serve it")
                  .or("v1"),
              Field.of("chief", new ValueType.Section(ROLE), "TensorFlow's chief"),
              Field.of("master", new ValueType.Section(ROLE), "the master"),
              Field.of("worker", new ValueType.Section(ROLE), "the workers"),
              Field.of("ps", new ValueType.Section(ROLE), "TensorFlow's parameter servers"),
              Field.of("evaluator", new ValueType.Section(ROLE), "TensorFlow's evaluator"),
              REPORTING));

  @Override
  public String platform() {
    return "kubeflow";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  protected void own(ObjectNode root, ObjectNode service, Walk walk) {
    boolean pytorch = service.path("operator").asText().equals("pytorch-operator");
    if (pytorch) {
      for (String role : List.of("ps", "chief", "evaluator")) {
        if (service.has(role)) {
          walk.refuse(
              AT + "/" + role, "is a role of tf-operator; pytorch-operator has master and worker");
        }
      }
      if (!service.has("master") && !walk.excused(AT + "/master")) {
        walk.refuse(AT + "/master", "is missing: pytorch-operator needs a master");
      }
      if (service.path("master").path("replicas").intValue() > 1) {
        walk.refuse(AT + "/master/replicas", "must be 1: pytorch-operator takes one master");
      }
    } else if (service.has("operator")
        && ROLES.stream().noneMatch(service::has)
        && !walk.excused(AT + "/worker")) {
      walk.refuse(AT + "/worker", "is missing: tf-operator needs at least a worker");
    }
    for (String role : ROLES) {
      inherit(service, service.path(role));
    }
  }

  @Override
  protected List<JsonNode> roles(ObjectNode service) {
    return ROLES.stream().filter(service::has).map(service::path).toList();
  }

  @Override
  protected List<String> roleNames(ObjectNode service) {
    return ROLES.stream().filter(service::has).toList();
  }

  @Override
  public OlderSection older() {
    return new OlderClusterSection(
        "kubeflowConfig",
        OlderSection.table(
            "operator", "operator",
            "apiVersion", "apiVersion",
            "namespace", "namespace",
            "reuse", "reuseMode"),
        Map.of(),
        List.of("worker", "ps", "master", "chief", "evaluator"));
  }
}
