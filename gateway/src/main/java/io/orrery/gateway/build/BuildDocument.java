package io.orrery.gateway.build;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.code.GitSource;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.image.ImageReference;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.SecretReference;
import io.orrery.core.workload.Amount;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.http.Fields;
import io.orrery.studio.document.AmountText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the keys of a document {@code ImageBuild} that say how the image is built. */
final class BuildDocument {
  static final List<String> KEYS =
      List.of(
          "kind",
          "name",
          "project",
          "target",
          "dockerfile",
          "requirements",
          "context",
          "cluster",
          "snapshotOf",
          "args",
          "secrets",
          "resources",
          "resource_cpu",
          "resource_memory",
          "volume_mount");

  private static final int MOST_TEXT = 400;
  private static final int MOST_OBJECT = BuildSpec.MOST_ARGS * (BuildSpec.MOST_VALUE + MOST_TEXT);
  private static final Pattern ARGUMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
  private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}");

  /** The settings of pip, which it takes from the environment. */
  private static final Pattern PIP = Pattern.compile("PIP_[A-Z0-9_]{1,95}");

  private static final Pattern FILE =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_./-]{0,195}\\.(?:txt|in)");

  private BuildDocument() {}

  /**
   * The specification; what is wrong is noted in the fields.
   *
   * @param name of the build
   */
  static BuildSpec read(Fields fields, String name) {
    String requirements = fields.text("requirements", BuildSpec.MOST_DOCKERFILE);
    String target = target(fields, requirements == null ? null : new EnvironmentName(name, null));
    String dockerfile = fields.text("dockerfile", BuildSpec.MOST_DOCKERFILE);
    ObjectNode context = fields.object("context", 4_000);
    BuildContextReader reader = new BuildContextReader(fields, context);
    String workspace = reader.workspace();
    String upload = reader.upload();
    GitSource git = reader.git();
    if (Stream.of(workspace, upload, git).filter(Objects::nonNull).count() > 1) {
      fields.wrong("context", "a context has one of workspace, upload and git");
    }
    boolean empty = workspace == null && upload == null && git == null;
    String snapshotOf = fields.text("snapshotOf", MOST_TEXT);
    if (snapshotOf != null) {
      return snapshot(fields, target, snapshotOf);
    }
    if (dockerfile == null && requirements == null && empty) {
      fields.wrong("dockerfile", "dockerfile, requirements, context or snapshotOf is needed");
    }
    if (dockerfile != null && requirements != null) {
      fields.wrong(
          "requirements", "dockerfile makes an image, requirements an environment: give one");
    }
    if (requirements != null && empty && isFile(requirements)) {
      fields.wrong(
          "requirements",
          "there is no context with a file %s: give its text, or a context"
              .formatted(requirements));
    }
    String mounts = fields.text("volume_mount", Mounts.MOST_CHARACTERS);
    if (mounts != null) {
      // Only read: nothing is mounted while an image is built.
      Mounts.read(mounts)
          .findings()
          .forEach(finding -> fields.wrong("volume_mount", finding.message()));
    }
    return new BuildSpec(
        target,
        dockerfile,
        workspace,
        upload,
        git,
        requirements,
        values(fields, "args", requirements == null ? ARGUMENT : PIP),
        secrets(fields, requirements == null ? SECRET : PIP),
        limits(fields),
        cluster(fields, requirements != null),
        null);
  }

  /**
   * @param environment null for an image
   */
  private static String target(Fields fields, @Nullable EnvironmentName environment) {
    String target = fields.text("target", MOST_TEXT);
    if (environment != null) {
      if (target != null && !target.equals(environment.toString())) {
        fields.wrong("target", "an environment is not pushed: leave the target out");
      }
      return environment.toString();
    }
    if (target == null
        || ImageReference.parse(target).filter(image -> image.digest() == null).isEmpty()) {
      fields.wrong("target", "the target is a name such as hub.example.com/vision/tool:1");
    }
    return target == null ? "" : target;
  }

  /** The specification of a snapshot, which has no other source. */
  private static BuildSpec snapshot(Fields fields, String target, String snapshotOf) {
    for (String key :
        List.of("dockerfile", "requirements", "context", "args", "secrets", "cluster")) {
      if (fields.has(key)) {
        fields.wrong(key, "a snapshot is of a container as it is: leave it out");
      }
    }
    String workload = snapshotOf.contains("/") ? snapshotOf : "service/" + snapshotOf;
    try {
      WorkloadRef parsed = WorkloadRef.parse(workload);
      if (parsed.kind() == WorkloadKind.NOTEBOOK) {
        fields.wrong(
            "snapshotOf",
            "the container of a notebook holds its token and its key of SSH: keep the state of a"
                + " service or of a debug shell");
      }
      workload = parsed.toString();
    } catch (IllegalArgumentException e) {
      fields.wrong("snapshotOf", "it is a workload such as service/hello");
    }
    return new BuildSpec(
        target, null, null, null, null, null, Map.of(), Map.of(), limits(fields), null, workload);
  }

  /** The cluster in whose pods it is built; null for the server's machine. */
  private static @Nullable String cluster(Fields fields, boolean environment) {
    String cluster = fields.text("cluster", MOST_TEXT);
    if (cluster == null || cluster.equals(Workloads.HERE)) {
      return null;
    }
    if (environment) {
      fields.wrong("cluster", "an environment is built on the server's machine: leave it out");
    }
    return cluster;
  }

  /** Whether the text is the name of a file, and not requirements themselves. */
  static boolean isFile(String requirements) {
    return FILE.matcher(requirements).matches();
  }

  private static BuildSpec.Limits limits(Fields fields) {
    ObjectNode resources = fields.object("resources", 400);
    resources
        .fieldNames()
        .forEachRemaining(key -> {
          if (!key.equals("cpu") && !key.equals("memory") && !key.equals("gpu")) {
            fields.wrong("resources/" + key, "resources of a build are cpu and memory");
          }
        });
    if (!resources.path("gpu").asText("0").equals("0")) {
      fields.wrong("resources/gpu", "a build on the server's machine has no GPU: ask for 0");
    }
    String cpu = amount(fields, resources, "cpu");
    String memory = amount(fields, resources, "memory");
    long cores =
        cpu == null
            ? 0
            : AmountText.cpu(cpu)
                .map(Amount::most)
                .orElseGet(() -> {
                  fields.wrong("resources/cpu", "cpu is a number of cores, such as 4");
                  return 0L;
                });
    long bytes =
        memory == null
            ? 0
            : AmountText.memory(memory)
                .map(Amount::most)
                .orElseGet(() -> {
                  fields.wrong("resources/memory", "memory is an amount such as 8G");
                  return 0L;
                });
    return new BuildSpec.Limits(Math.toIntExact((cores + 999) / 1_000), bytes);
  }

  /** An amount, which may have the name that it had in the original. */
  private static @Nullable String amount(Fields fields, ObjectNode resources, String key) {
    JsonNode value = resources.path(key);
    JsonNode former = fields.value("resource_" + key);
    JsonNode one = value.isMissingNode() || value.isNull() ? former : value;
    if (one != null && one.isContainerNode()) {
      fields.wrong("resources/" + key, "it is an amount, such as 4 or 8G");
      return null;
    }
    return one == null || one.isNull() ? null : one.asText();
  }

  private static Map<String, String> values(Fields fields, String key, Pattern names) {
    Map<String, String> values = new TreeMap<>();
    fields
        .object(key, MOST_OBJECT)
        .properties()
        .forEach(entry -> {
          String value = entry.getValue().isContainerNode() ? null : entry.getValue().asText();
          if (!names.matcher(entry.getKey()).matches()) {
            fields.wrong(
                key, "'%s' is no name of one of %s: %s".formatted(entry.getKey(), key, names));
          } else if (value == null
              || value.length() > BuildSpec.MOST_VALUE
              || value.indexOf('\0') >= 0) {
            fields.wrong(
                key + "/" + entry.getKey(),
                "a value is a text of at most %,d characters".formatted(BuildSpec.MOST_VALUE));
          } else {
            values.put(entry.getKey(), value);
          }
        });
    if (values.size() > BuildSpec.MOST_ARGS) {
      fields.wrong(key, "there are at most %d of %s".formatted(BuildSpec.MOST_ARGS, key));
    }
    return values;
  }

  private static Map<String, String> secrets(Fields fields, Pattern names) {
    Map<String, String> secrets = values(fields, "secrets", names);
    secrets.forEach((id, value) -> {
      if (SecretReference.name(value).isEmpty()) {
        fields.wrong("secrets/" + id, "it is a reference to a secret of the project: secret:NAME");
      }
    });
    return secrets;
  }

  /** Whether a directory is of the workspace of a user. */
  static boolean isOf(String directory, String user) {
    return Path.of(directory).startsWith(Workspaces.shownAt(user));
  }
}
