package io.orrery.tuner.python;

import io.orrery.core.experiment.ExperimentId;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Starts Python on {@code orrery_algorithms}, and says what it sees: the user's algorithm gets no
 * shell, and of the server's environment only what a Python program needs, for the rest may hold
 * secrets.
 *
 * @param command what runs Python: {@code python3}, found on the PATH
 * @param sdk the directory that holds {@code orrery_algorithms} and {@code compat}
 * @param experiments holds a directory for each experiment
 * @param inherited the server's environment
 */
public record Interpreter(
    List<String> command, Path sdk, Path experiments, Map<String, String> inherited) {
  private static final Set<String> NEEDED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "LANG",
          "LANGUAGE",
          "TZ",
          "TMPDIR",
          "LD_LIBRARY_PATH",
          "VIRTUAL_ENV",
          "PYTHONPATH",
          "PYTHONHOME");

  private static final List<String> NEEDED_KINDS =
      List.of("LC_", "CONDA_", "PYENV_", "OMP_", "MKL_", "OPENBLAS_", "CUDA_", "NVIDIA_");

  public Interpreter {
    command = List.copyOf(command);
    inherited = Map.copyOf(inherited);
  }

  /** The python3 of the PATH, as trials find it. */
  public static Interpreter standard(Path sdk, Path experiments) {
    return new Interpreter(List.of("python3"), sdk, experiments, System.getenv());
  }

  /**
   * Starts a process that no algorithm lives in yet.
   *
   * @param role names its files: {@code tuner} or {@code assessor}
   * @param resumed whether there was one before it
   */
  PythonAlgorithm start(String role, ExperimentId experiment, boolean resumed) {
    Path directory = experiments.resolve(experiment.value());
    Path log = directory.resolve("log");
    Path checkpoint = directory.resolve("checkpoint");
    Path complaints = log.resolve(role + ".stderr");
    try {
      Files.createDirectories(log);
      Files.createDirectories(checkpoint);
      List<String> line = new ArrayList<>(command);
      line.addAll(List.of("-m", "orrery_algorithms", log.resolve(role + ".stdout").toString()));
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .directory(log.toFile())
              .redirectError(Redirect.appendTo(complaints.toFile()));
      builder.environment().clear();
      builder.environment().putAll(environment(log, checkpoint, resumed));
      long before = Files.exists(complaints) ? Files.size(complaints) : 0;
      return new PythonAlgorithm(builder.start(), new Complaints(complaints, before));
    } catch (IOException e) {
      throw PythonAlgorithm.failure(
          command.getFirst()
              + " cannot be started, which runs a class of one's own: "
              + e.getMessage());
    }
  }

  /** NNI's variables for algorithms, beside those that are passed on. */
  Map<String, String> environment(Path log, Path checkpoint, boolean resumed) {
    Map<String, String> all = new TreeMap<>();
    inherited.forEach((name, value) -> {
      if (NEEDED.contains(name) || NEEDED_KINDS.stream().anyMatch(name::startsWith)) {
        all.put(name, value);
      }
    });
    String modules = sdk + File.pathSeparator + sdk.resolve("compat");
    all.merge(
        "PYTHONPATH",
        modules,
        (before, ours) -> before.isEmpty() ? ours : ours + File.pathSeparator + before);
    all.put("PYTHONIOENCODING", "utf-8");
    all.put("SDK_PROCESS", "dispatcher");
    all.put("NNI_MODE", resumed ? "resume" : "start");
    all.put("NNI_LOG_DIRECTORY", log.toString());
    all.put("NNI_LOG_LEVEL", "info");
    all.put("NNI_CHECKPOINT_DIRECTORY", checkpoint.toString());
    all.put("NNI_INCLUDE_INTERMEDIATE_RESULTS", "false");
    return all;
  }
}
