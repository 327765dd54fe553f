package io.orrery.compute.local;

import io.orrery.compute.attempt.ParameterFile;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.gpu.GpuGrant;
import io.orrery.compute.process.ChildProcess;
import io.orrery.compute.process.Spawn;
import io.orrery.compute.process.Wrapper;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.file.ConfinedDirectory;
import io.orrery.core.image.EnvironmentPlace;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.Sandbox;
import io.orrery.core.workload.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes an attempt's files and starts its wrapper. */
final class Launcher {
  private static final String CODE = "/trialCodeDirectory";
  private static final String IMAGE = "/trainingService/image";
  private static final Duration LATER = Duration.ofSeconds(10);

  private final TrialEnvironment environment;
  private final Wrapper wrapper;
  private final Spawn spawn;
  private final String shell;
  private final Workspaces workspaces;
  private final EnvironmentPlace environments;

  /**
   * @param environments of Python packages, in which programs may run
   * @param interpreter what runs the wrapper script: {@code sh}
   */
  Launcher(
      Path home,
      TrialEnvironment environment,
      EnvironmentPlace environments,
      List<String> interpreter,
      Spawn spawn) {
    this.environments = environments;
    this.spawn = spawn;
    this.environment = environment;
    this.wrapper =
        new Wrapper(home.resolve("experiments").resolve("trial-wrapper.sh"), interpreter);
    this.workspaces = Workspaces.in(home);
    this.shell = Files.isExecutable(Path.of("/bin/bash")) ? "/bin/bash" : "/bin/sh";
  }

  /**
   * The command of a submission, if it can be started at all.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it never can
   */
  String command(Submission submission) {
    // What a value of a pipeline was replaced by is never read again.
    String command =
        submission.step() == null
            ? TrialCommand.of(
                submission.job().command(),
                submission.parameters().values(),
                submission.job().parametersAsArguments())
            : submission.job().command();
    refuseUnusable(submission);
    if (submission.step() == null
        && inWorkspace(submission).isEmpty()
        && !environment.sandbox().shows(code(submission))) {
      throw refused(CODE, Sandbox.hiddenWords(submission.job().codeDirectory()));
    }
    if (command.indexOf('\0') >= 0) {
      throw refused("/trialCommand", "a command cannot hold the character NUL");
    }
    return command;
  }

  private void refuseUnusable(Submission submission) {
    String named = submission.job().codeDirectory();
    Path code = code(submission);
    if (inWorkspace(submission).isPresent()) {
      refuseLeaving(submission, code, named);
    }
    if (!Files.isDirectory(code)) {
      throw refused(CODE, "there is no directory " + named);
    }
    if (!Files.isExecutable(code)) {
      throw refused(CODE, named + " cannot be entered by the server's user");
    }
    String missing = LocalEnvironment.missing(submission.job(), environments);
    if (missing != null) {
      throw refused(IMAGE, missing);
    }
  }

  /** The person may have put a link in the way since the file was read. */
  private void refuseLeaving(Submission submission, Path code, String named) {
    Path root = workspaces.of(submission.user());
    try {
      ConfinedDirectory.open(root, root.relativize(code)).close();
    } catch (IOException e) {
      // The fault itself names the place on the server.
      throw refused(
          CODE,
          "there is no directory %s in the workspace, without a link on the way".formatted(named));
    }
  }

  /** The directories of a program that is kept apart. */
  private Sandbox.Mounts mounts(Submission submission, AttemptFiles files) throws IOException {
    List<Path> readable = new ArrayList<>(List.of(environment.sdk()));
    LocalEnvironment.directory(submission.job(), environments).ifPresent(readable::add);
    StepSetup step = submission.step();
    if (step != null) {
      readable.add(step.inputs());
    }
    return new Sandbox.Mounts(
        code(submission), readable, writable(submission, files), workspace(submission.user()));
  }

  /** All that a program may change, the workspace of its person with it. */
  List<Path> changes(Submission submission, AttemptFiles files) {
    List<Path> all = new ArrayList<>(writable(submission, files));
    if (!submission.user().isEmpty() && environment.sandbox().isOn()) {
      all.add(workspaces.of(submission.user()));
    }
    return List.copyOf(all);
  }

  private Sandbox.@Nullable Workspace workspace(String user) throws IOException {
    return user.isEmpty() || !environment.sandbox().isOn()
        ? null
        : new Sandbox.Workspace(workspaces.made(user), Workspaces.shownAt(user));
  }

  /** The directories that a program may change, besides the workspace of its person. */
  private List<Path> writable(Submission submission, AttemptFiles files) {
    StepSetup step = submission.step();
    return step == null
        ? List.of(files.directory())
        // A step has a copy of its code to itself.
        : List.of(files.directory(), code(submission), step.outputs());
  }

  /** The directory of the code on this machine. */
  private Path code(Submission submission) {
    return inWorkspace(submission).orElseGet(() -> named(submission));
  }

  private Optional<Path> inWorkspace(Submission submission) {
    return submission.step() == null
        ? workspaces.located(submission.user(), named(submission))
        : Optional.empty();
  }

  private static Path named(Submission submission) {
    return Path.of(submission.job().codeDirectory());
  }

  /**
   * Starts a wrapper that will claim this launch number.
   *
   * @param gpus what the attempt was given; null when it was given none
   * @param onExit called from any thread soon after it has ended, as a rule
   * @throws io.orrery.core.problem.ProblemException Refused when this submission can never start,
   *     Busy when the machine cannot start it now
   */
  ChildProcess launch(
      Submission submission,
      AttemptFiles files,
      int number,
      String mark,
      @Nullable GpuGrant gpus,
      Runnable onExit) {
    String command = command(submission);
    Map<String, String> variables =
        LocalEnvironment.directory(submission.job(), environments)
            .map(packages ->
                EnvironmentPlace.variables(packages, environment.of(submission, files, mark, gpus)))
            .orElseGet(() -> environment.of(submission, files, mark, gpus));
    try {
      files.make();
      ParameterFile.write(files.parameters(), submission.parameters());
      if (submission.job().metrics().readEventFiles()) {
        Files.write(files.eventFilesWanted(), new byte[0]);
      }
      if (gpus != null) {
        files.record(gpus);
      }
      Sandbox.Mounts mounts = mounts(submission, files);
      if (inWorkspace(submission).isPresent()) {
        variables.put("NNI_CODE_DIR", environment.sandbox().seenAt(mounts).toString());
      }
      return spawn.start(
          new Spawn.Program(
              wrapper.line(
                  files.nni(),
                  number,
                  environment.sandbox().line(mounts, ShellLine.of(shell, command, variables))),
              code(submission),
              variables,
              files.log(Stream.STDOUT),
              files.log(Stream.STDERR)),
          onExit);
    } catch (IOException e) {
      String message = Objects.requireNonNullElse(e.getMessage(), e.toString());
      if (message.contains("Argument list too long")) {
        throw refused(
            "/trialCommand", "the command with its parameters is longer than the system allows");
      }
      // Whatever was in the way: a directory that is gone, or closed, since then is there to stay.
      refuseUnusable(submission);
      throw new Problem.Busy("this machine cannot start it now: " + message, LATER).toException();
    }
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding(pointer, message)).toException();
  }
}
