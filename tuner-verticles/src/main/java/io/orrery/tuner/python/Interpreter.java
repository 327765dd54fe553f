package io.orrery.tuner.python;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.process.PythonEnvironment;
import io.orrery.core.process.Sandbox;
import io.orrery.core.process.UserEnvironment;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Starts Python on a module of {@code orrery_algorithms}, and says what it sees: the user's
 * algorithm gets no shell, and of the server's environment only what a Python program needs, for
 * the rest may hold secrets.
 *
 * @param command what runs Python: {@code python3}, found on the PATH
 * @param sdk the directory that holds {@code orrery_algorithms} and {@code compat}
 * @param experiments holds a directory for each experiment
 * @param inherited the server's environment
 * @param sandbox what keeps the programs apart
 */
public record Interpreter(
    List<String> command,
    Path sdk,
    Path experiments,
    Map<String, String> inherited,
    Sandbox sandbox) {
  private static final long PROBE_SECONDS = 20;

  public Interpreter {
    command = List.copyOf(command);
    inherited = Map.copyOf(inherited);
  }

  /** An interpreter whose programs are not kept apart. */
  public Interpreter(
      List<String> command, Path sdk, Path experiments, Map<String, String> inherited) {
    this(command, sdk, experiments, inherited, Sandbox.NONE);
  }

  /** The python3 of the PATH, as trials find it. */
  public static Interpreter standard(Path sdk, Path experiments, Sandbox sandbox) {
    return new Interpreter(List.of("python3"), sdk, experiments, UserEnvironment.get(), sandbox);
  }

  /**
   * Starts a module of the SDK below the guard.
   *
   * @param module its first argument is the file that standard output belongs to
   * @param role names its files: {@code tuner} or {@code assessor}
   * @param resumed whether there was one before it
   * @param arguments of the module, after the first
   * @param variables of its environment, beside NNI's
   */
  public Child start(
      String module,
      String role,
      ExperimentId experiment,
      boolean resumed,
      List<String> arguments,
      Map<String, String> variables) {
    Path directory = experiments.resolve(experiment.value());
    Path log = directory.resolve("log");
    Path checkpoint = directory.resolve("checkpoint");
    Path complaints = log.resolve(role + ".stderr");
    try {
      Files.createDirectories(log);
      Files.createDirectories(checkpoint);
      List<String> line = new ArrayList<>(command);
      line.addAll(List.of("-m", module, log.resolve(role + ".stdout").toString()));
      line.addAll(arguments);
      ProcessBuilder builder =
          new ProcessBuilder(
                  sandbox.endingLine(
                      new Sandbox.Mounts(log, List.of(sdk), List.of(log, checkpoint)), line))
              .directory(log.toFile())
              .redirectError(Redirect.appendTo(complaints.toFile()));
      builder.environment().clear();
      builder.environment().putAll(environment(log, checkpoint, resumed));
      builder.environment().putAll(variables);
      long before = Files.exists(complaints) ? Files.size(complaints) : 0;
      return new Child(builder.start(), new Complaints(complaints, before));
    } catch (IOException e) {
      throw Child.failure(
          command.getFirst()
              + " cannot be started, which runs a class of one's own: "
              + e.getMessage());
    }
  }

  /**
   * The version of a package where this Python finds it; empty when it does not. Takes as long as
   * Python takes to start.
   */
  public Optional<String> version(String distribution) throws InterruptedException {
    List<String> line = new ArrayList<>(command);
    line.addAll(
        List.of(
            "-c",
            "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))",
            distribution));
    ProcessBuilder builder = new ProcessBuilder(line).redirectError(Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(PythonEnvironment.of(inherited));
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.exitValue() == 0 ? Optional.of(said.strip()) : Optional.empty();
    } catch (IOException noPython) {
      return Optional.empty();
    }
  }

  /** NNI's variables for algorithms, beside those that are passed on. */
  Map<String, String> environment(Path log, Path checkpoint, boolean resumed) {
    Map<String, String> all =
        new TreeMap<>(sandbox.environment(PythonEnvironment.of(inherited), log));
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
