package io.orrery.orchestrator.workload;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.SettingsLook;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Preflight;
import io.orrery.core.bus.contract.Workloads.Preflighted;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.project.Mounts;
import io.orrery.core.project.ProjectSettings;
import io.orrery.core.project.VolumeMount;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Compares the settings of a project with the configuration of the server and with what the
 * project's cluster has. Changes nothing.
 */
final class SettingsPreflight {
  private static final String CLUSTER = "/cluster";
  private static final String MOUNTS = "/volume_mount";
  private static final String NODES = "/node_selector";
  private static final String ORG = "/org";

  private final WorkloadPlacement placement;

  SettingsPreflight(WorkloadPlacement placement) {
    this.placement = placement;
  }

  Future<?> serve(Bus bus) {
    return bus.serve(Workloads.PREFLIGHT, this::answer);
  }

  private Future<Preflighted> answer(Preflight asked) {
    JsonNode written = Json.parse(asked.settings());
    ProjectSettings settings = ProjectSettings.read(written, "").orThrow();
    String cluster = Objects.requireNonNullElse(settings.cluster(), Workloads.HERE);
    Runtime runtime = placement.find(cluster);
    if (runtime == null) {
      return Future.succeededFuture(
          new Preflighted(List.of(new Finding(CLUSTER, placement.unknown(cluster))), List.of()));
    }
    String text = written.path("volume_mount").asText("");
    return runtime.look(settings).map(look -> findings(settings, text, runtime, look));
  }

  private Preflighted findings(
      ProjectSettings settings, String text, Runtime runtime, SettingsLook look) {
    List<Finding> faults = new ArrayList<>();
    List<VolumeMount> mounts = settings.mounts().mounts();
    List<Integer> offsets = Mounts.offsets(text);
    for (int i = 0; i < mounts.size(); i++) {
      String refusal = placement.refusal(mounts.get(i));
      String sentence = look.mounts().get(mounts.get(i));
      if (refusal != null) {
        // Says nothing on whether there is such a directory. Processes see it in their sandbox.
        sentence = runtime.runsImages() ? refusal : null;
      }
      if (sentence != null) {
        faults.add(
            new Finding(MOUNTS, "at character %d: %s".formatted(offsets.get(i) + 1, sentence)));
      }
    }
    String place = settings.orgs().isEmpty() ? NODES : ORG;
    if (look.nodes() != null) {
      faults.add(new Finding(place, look.nodes()));
    }
    List<Finding> doubts = new ArrayList<>();
    if (look.mountsUnknown() != null) {
      doubts.add(new Finding(MOUNTS, look.mountsUnknown()));
    }
    if (look.nodesUnknown() != null) {
      doubts.add(new Finding(place, look.nodesUnknown()));
    }
    return new Preflighted(faults, doubts);
  }
}
