package io.orrery.orchestrator.build;

import io.orrery.compute.attempt.Background;
import io.orrery.compute.runtime.replica.ReplicaLog;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.RunView;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.EnvironmentName;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keeper of one start of a build in a pod: a run of one step, whose log it takes as it comes
 * and which it deletes in the end. The run goes on without this server, and a server that starts
 * finds it by its id.
 */
final class PodBuildKeeper extends KeptBuild {
  private static final Logger LOG = LoggerFactory.getLogger(PodBuildKeeper.class);
  private static final long LARGEST_LOG = 16L << 20;
  private static final int PIECE = 256 << 10;
  private static final Pattern BYTES = Pattern.compile("[0-9]{1,18}");

  private final RunId run;
  private boolean created;
  private boolean stopping;
  private boolean pushing;
  private @Nullable String told;

  /**
   * @param over told once nothing is left to do
   */
  PodBuildKeeper(Bus bus, BuildPreparation preparation, ImageBuild build, Runnable over) {
    super(bus, preparation, build, over);
    this.run = BuildRun.id(build);
  }

  private void tell(BuildStatus status, @Nullable String reason) throws Exception {
    String words = status + ": " + reason;
    if (!words.equals(told)) {
      new BuildEnd(status, reason, null, null).report(bus, build);
      told = words;
    }
  }

  /** Deletes the run, of which the log and the digest are kept here. */
  @Override
  protected void clear() throws Exception {
    files.clear();
    try {
      Background.await(bus.request(PipelineRuns.DELETE, new PipelineRuns.Delete(run)));
    } catch (Exception e) {
      if (!(Problem.of(e) instanceof Problem.NotFound)) {
        LOG.warn("could not delete run {} of build {}: {}", run, build.name(), e.getMessage());
      }
    }
  }

  private @Nullable RunView view() throws Exception {
    try {
      return Background.await(bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(run)));
    } catch (Exception e) {
      if (Problem.of(e) instanceof Problem.NotFound) {
        return null;
      }
      throw e;
    }
  }

  @Override
  protected @Nullable BuildEnd step() throws Exception {
    if (!created) {
      return created();
    }
    RunView view = view();
    if (view == null) {
      return BuildEnd.failed("its run was deleted");
    }
    Step step = view.steps().getFirst();
    if (step.attempt() > 0) {
      follow(step.attempt());
    }
    RunStatus status = view.run().status();
    if (status.isOver()) {
      return ended(status, step);
    }
    if (isCanceled() && !stopping) {
      Background.await(
          bus.request(
              PipelineRuns.COMMAND,
              new PipelineRuns.Command(run, PipelineRuns.Verb.STOP, List.of())));
      stopping = true;
    }
    tell(pushing ? BuildStatus.PUSHING : BuildStatus.RUNNING, pushing ? null : step.reason());
    return null;
  }

  private @Nullable BuildEnd created() throws Exception {
    if (view() == null) {
      if (isCanceled()) {
        return BuildEnd.canceled("it was canceled before it began");
      }
      if (!files.isPrepared()) {
        tell(BuildStatus.RUNNING, "its context is being copied");
        preparation.prepare(build, files);
      }
      Background.await(
          bus.request(PipelineRuns.CREATE, new PipelineRuns.Create(preparation.run(build, files))));
    }
    created = true;
    return null;
  }

  /** Takes what the pod has written since the last look. */
  private void follow(int attempt) throws Exception {
    Path directory = Files.createDirectories(files.run(attempt));
    ReplicaLog log = new ReplicaLog(directory);
    long end = log.end();
    while (end < LARGEST_LOG) {
      LogPiece piece =
          Background.await(
              bus.request(
                  PipelineRuns.READ_LOG,
                  new PipelineRuns.ReadLog(
                      run, BuildRun.STEP, attempt, Trials.Stream.STDOUT, end, PIECE)));
      if (piece.bytes().length == 0) {
        return;
      }
      Files.write(log.file(), piece.bytes(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      end += piece.bytes().length;
      pushing =
          pushing
              || new String(piece.bytes(), StandardCharsets.UTF_8)
                  .contains("Pushing " + build.spec().target());
    }
  }

  private BuildEnd ended(RunStatus status, Step step) throws Exception {
    String digest = value(step, BuildScript.DIGEST, EnvironmentName.DIGESTS);
    if (digest != null) {
      String bytes = value(step, BuildScript.BYTES, BYTES);
      Long size = bytes == null ? null : Long.valueOf(bytes);
      return isCanceled()
          ? new BuildEnd(
              BuildStatus.CANCELED, "the image was pushed before it was canceled", digest, size)
          : BuildEnd.confirmed(bus, build, digest, size);
    }
    if (isCanceled() || status == RunStatus.STOPPED) {
      return BuildEnd.canceled(null);
    }
    Integer code = step.exitCode();
    String reason = step.reason();
    return BuildEnd.failed(
        code == null || code == 0
            ? (reason == null ? "its pod has told no digest" : reason)
            : "%s ended with exit code %d: %s"
                .formatted(
                    pushing ? "the push" : "the build", code, lastLine(files.run(step.attempt()))));
  }

  private static @Nullable String value(Step step, String name, Pattern pattern) {
    return step.outputs().stream()
        .filter(output -> output.name().equals(name))
        .map(StepOutput::value)
        .filter(text -> text != null && pattern.matcher(text.strip()).matches())
        .map(String::strip)
        .findFirst()
        .orElse(null);
  }
}
