package io.orrery.studio.pipeline;

import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.NodePlacement;
import io.orrery.core.project.Parsed;
import io.orrery.core.project.VolumeKind;
import io.orrery.core.project.WorkloadRole;
import io.orrery.core.run.StepCluster;
import io.orrery.core.run.StepContainer;
import io.orrery.core.run.StepTeam;
import io.orrery.core.text.Nearest;
import io.orrery.core.workload.Amount;
import io.orrery.studio.document.AmountText;
import io.orrery.studio.document.DocumentKeys;
import io.orrery.studio.pipeline.TaskDocument.Action;
import io.orrery.studio.pipeline.TaskDocument.OfTemplate;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the container that a task runs in, with everything that is wrong with it. */
final class ContainerReader {
  private static final int MOST_TEXT = 500;

  private static final Set<VolumeKind> OF_PODS =
      EnumSet.complementOf(EnumSet.of(VolumeKind.HOSTPATH, VolumeKind.SECRET));

  private final DocumentKeys keys;
  private final PipelineSurroundings with;
  private String platform = StepContainer.PLATFORM;

  ContainerReader(DocumentKeys keys, PipelineSurroundings with) {
    this.keys = keys;
    this.with = with;
  }

  /**
   * The container of a task whose document or template names an image.
   *
   * @param amounts of resources, as they are written
   * @return null for a program of the machine itself, and when something is wrong
   */
  @Nullable StepContainer read(Action action, Map<String, String> amounts) {
    String image = image(action);
    if (image == null || !EnvironmentName.isContainer(image)) {
      if (action instanceof OfTemplate of && TeamReader.kind(of.template()) != null) {
        keys.wrong("template", "a task of %s names its image".formatted(of.template().name()));
      }
      for (String key : List.of("cluster", "volume_mount", TeamReader.KEY)) {
        if (keys.value(key) != null) {
          keys.wrong(
              key,
              image == null
                  ? key + " belongs to a task with an image"
                  : "%s belongs to a container, and a task in the environment %s is a process of the server's machine"
                      .formatted(key, image));
        }
      }
      return null;
    }
    if (image.isBlank() || image.chars().anyMatch(Character::isWhitespace)) {
      keys.wrong("image", "image is a name such as registry.example.com/team/app:1");
    }
    if (keys.value("trainingService") != null) {
      keys.wrong("trainingService", "a task with an image has a cluster and no trainingService");
    }
    StepCluster cluster = cluster(image);
    boolean pods = cluster != null && cluster.hasPods();
    if (!pods && !amounts.getOrDefault("gpu", "0").equals("0")) {
      keys.wrong("resources", "GPUs cannot be set aside for a container of a step yet: ask for 0");
    }
    StepTeam team = new TeamReader(keys).read(action);
    if (team != null && cluster != null && !pods) {
      keys.wrong(
          keys.value(TeamReader.KEY) == null ? "template" : TeamReader.KEY,
          "a %s needs a cluster with runtime: kubernetes, and %s has none"
              .formatted(team.kind().word(), cluster.name()));
    }
    Mounts mounts = mounts(pods);
    if (cluster == null) {
      return null;
    }
    platform = cluster.platform();
    return new StepContainer(
        cluster.name(),
        image,
        mounts.text(),
        most(amounts.get("cpu"), true),
        most(amounts.get("memory"), false),
        "",
        team,
        pods ? nodes(amounts) : null);
  }

  private @Nullable String image(Action action) {
    String own = keys.text("image", MOST_TEXT);
    return own == null && action instanceof OfTemplate of ? of.template().image() : own;
  }

  /**
   * The place of a task without a container: that of its training service, in the environment of
   * Python packages that stands in the place of an image.
   */
  TaskPlace place(Action action) {
    TaskPlace place = TaskPlace.read(keys, with.platforms());
    String image = image(action);
    if (image == null || EnvironmentName.isContainer(image)) {
      return place;
    }
    String key = keys.value("image") == null ? "template" : "image";
    if (EnvironmentName.parse(image).isEmpty()) {
      keys.wrong(key, "an environment is named env:<name>, not '%s'".formatted(image));
    } else if (!place.isHere()) {
      keys.wrong(
          key,
          "the environment %s is a directory of the server's machine, so its task runs on local and not on %s"
              .formatted(image, place.platform()));
    } else if (place.environment() != null) {
      keys.wrong(key, "the trainingService of the task has an image already: write it once");
    }
    return place.in(image);
  }

  /** The training service of the container that was read last. */
  String platform() {
    return platform;
  }

  private @Nullable StepCluster cluster(String image) {
    String named = keys.text("cluster", MOST_TEXT);
    if (with.clusters().isEmpty()) {
      keys.wrong(
          keys.value("image") == null ? "template" : "image",
          "the image %s needs a cluster that runs containers, and this server has none: name one in"
                  .formatted(image)
              + " clusters of its configuration");
      return null;
    }
    List<String> names = with.clusters().stream().map(StepCluster::name).toList();
    if (named == null) {
      int ofProject = names.indexOf(with.project().cluster());
      if (ofProject >= 0) {
        return with.clusters().get(ofProject);
      }
      if (names.size() > 1) {
        keys.wrong("cluster", "name the cluster: there is " + String.join(", ", names));
        return null;
      }
      return with.clusters().getFirst();
    }
    int at = names.indexOf(named);
    if (at < 0) {
      keys.wrong(
          "cluster",
          "no cluster '%s' runs containers of steps; there is %s%s"
              .formatted(named, String.join(", ", names), Nearest.hint(named, names)));
      return null;
    }
    return with.clusters().get(at);
  }

  /**
   * The mounts, in pods after those of the project. A pod may mount claims and ConfigMaps of its
   * namespace, and neither its node's directories nor Secrets, which are of others.
   */
  private Mounts mounts(boolean pods) {
    String text = Objects.requireNonNullElse(keys.text("volume_mount", Mounts.MOST_CHARACTERS), "");
    Parsed<Mounts> read = Mounts.read(text, pods ? OF_PODS : EnumSet.of(VolumeKind.HOSTPATH));
    read.findings().forEach(finding -> keys.wrong("volume_mount", finding.message()));
    Mounts all = pods ? with.project().mounts().and(read.value()) : read.value();
    all.mounts().stream()
        .map(with.mounts()::refusal)
        .filter(Objects::nonNull)
        .forEach(refusal -> keys.wrong("volume_mount", refusal));
    return all;
  }

  /** The machines of the project; null for any. */
  private @Nullable NodePlacement nodes(Map<String, String> amounts) {
    try {
      return with.project()
          .nodes(WorkloadRole.TRAIN, AmountText.gpus(amounts.getOrDefault("gpu", "0")).orElse(0));
    } catch (ProblemException e) {
      keys.wrong("resources", e.problem().detail());
      return null;
    }
  }

  private static long most(@Nullable String text, boolean cpu) {
    if (text == null) {
      return 0;
    }
    return (cpu ? AmountText.cpu(text) : AmountText.memory(text)).map(Amount::most).orElse(0L);
  }
}
