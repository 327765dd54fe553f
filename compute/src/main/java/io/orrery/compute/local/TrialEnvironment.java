package io.orrery.compute.local;

import io.orrery.compute.command.ParameterVariables;
import io.orrery.compute.command.RunContext;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.process.Sandbox;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a trial: the server's own, without what is meant for the server, and what the
 * trial protocol says.
 *
 * @param inherited the server's environment; what is meant for the server is left out
 * @param sandbox what keeps the program apart
 * @param sdk the directory that holds {@code compat}, where {@code import nni} is found
 */
record TrialEnvironment(
    Map<String, String> inherited, Path sdk, TrialAccess access, Sandbox sandbox) {
  TrialEnvironment {
    inherited =
        inherited.entrySet().stream()
            .filter(variable -> !isServers(variable.getKey()))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * Everything that the process is given.
   *
   * @param mark by which all processes of the attempt are known
   * @param gpus what it was given; null when it was given none
   */
  Map<String, String> of(
      Submission submission, AttemptFiles files, String mark, @Nullable GpuGrant gpus) {
    Map<String, String> all = new HashMap<>(sandbox.environment(inherited, files.directory()));
    StepSetup step = submission.step();
    AttemptRef attempt = submission.attempt();
    if (step != null) {
      all.putAll(step.environment());
    } else {
      all.put(RunContext.VARIABLE, RunContext.of(attempt.trial()));
    }

    String directory = files.directory().toString();
    String token = access.token(attempt);
    all.put("NNI_PLATFORM", "local");
    all.put("NNI_EXP_ID", attempt.trial().experiment().value());
    all.put("NNI_TRIAL_JOB_ID", attempt.trial().trial().value());
    all.put("NNI_TRIAL_SEQ_ID", Long.toString(submission.sequenceId()));
    all.put("NNI_SYS_DIR", directory);
    all.put("NNI_OUTPUT_DIR", directory);
    all.put("NNI_CODE_DIR", submission.job().codeDirectory());
    if (submission.job().multiPhase()) {
      // What is asked for on the channel has no number. Without it every SDK takes the files.
      all.put("MULTI_PHASE", "true");
    } else {
      all.put("NNI_TRIAL_COMMAND_CHANNEL", access.channelUrl(token));
    }
    Integer number = submission.job().gpuNumber();
    if (gpus != null) {
      all.put("CUDA_VISIBLE_DEVICES", gpus.visible());
      // Our numbers are nvidia-smi's; CUDA's own order begins with the fastest device.
      all.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    } else if (number != null && number == 0) {
      all.put("CUDA_VISIBLE_DEVICES", "-1");
    }

    all.put("ORRERY_URL", access.serverUrl());
    all.put("ORRERY_TRIAL_TOKEN", token);
    all.put(ProcessMarks.VARIABLE, mark);
    all.putAll(ParameterVariables.all(submission.parameters().values()));

    String compat = sdk.resolve("compat").toString();
    all.merge(
        "PYTHONPATH", compat, (before, ours) -> before.isEmpty() ? ours : ours + ":" + before);
    return all;
  }

  /** Ours hold secrets; NNI's are there when the server itself runs within a trial. */
  private static boolean isServers(String name) {
    return name.startsWith("ORRERY_")
        || name.startsWith("NNI_")
        || name.equals("MULTI_PHASE")
        || name.equals("REUSE_MODE");
  }
}
