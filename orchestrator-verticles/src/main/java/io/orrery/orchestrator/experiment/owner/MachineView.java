package io.orrery.orchestrator.experiment.owner;

import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.MachineState;
import io.orrery.core.bus.contract.TrainingServices;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Machines as the users of one experiment see them: of what others run there only how much it is.
 */
final class MachineView {
  private MachineView() {}

  static TrainingServices.Machines of(ExperimentId experiment, List<MachineState> states) {
    return new TrainingServices.Machines(
        states.stream().map(state -> of(experiment, state)).toList());
  }

  private static TrainingServices.Machine of(ExperimentId experiment, MachineState state) {
    List<TrialId> own =
        state.attempts().stream()
            .map(AttemptRef::trial)
            .filter(trial -> trial.experiment().equals(experiment))
            .map(TrialRef::trial)
            .toList();
    GpuReport gpus = state.gpus();
    return new TrainingServices.Machine(
        state.service(),
        state.name(),
        state.absence(),
        state.since(),
        state.heardAt(),
        own,
        state.attempts().size() - own.size(),
        state.free(),
        gpus == null ? null : of(gpus));
  }

  /** Describes who else has it; whose notebook it is concerns only its project. */
  private static @Nullable String others(GpuReport.Gpu gpu) {
    if (gpu.trouble() != null || gpu.replicas().isEmpty()) {
      return gpu.trouble();
    }
    return gpu.replicas().stream()
        .map(replica -> "given to a " + replica.workload().kind().word())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static TrainingServices.Gpus of(GpuReport report) {
    return new TrainingServices.Gpus(
        report.seenAt(),
        report.failure(),
        report.gpus().stream()
            .map(gpu ->
                new TrainingServices.Gpu(
                    gpu.index(), gpu.name(), gpu.memory(), gpu.trials().size(), others(gpu)))
            .toList(),
        report.waiting());
  }
}
