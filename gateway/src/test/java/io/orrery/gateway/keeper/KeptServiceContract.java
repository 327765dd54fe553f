package io.orrery.gateway.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orrery.compute.BareJob;
import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.attempt.CarriedSteps;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.StepSetup;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.Tenure;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceContract;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every platform, run with one whose trials have keepers that talk to the real
 * edge; and tests of what these have besides: storage that they share with the server.
 */
public abstract class KeptServiceContract extends TrainingServiceContract {
  /** What a shell, a template or a service of jobs might read as more than text. */
  private static final String HOSTILE =
      "{{7*7}} ${HOME} $(id) `id` $(NAME) $$ '\"\\ <% $x %> %s ; rm -rf / #\nsecond\tline é ✓ <a&b>";

  protected final KeptEdge edge = new KeptEdge(() -> listener);

  /** What trials share with the server; null for nothing. */
  protected @Nullable SharedStorageSpec storage;

  /** The server that owned the trials before, and what it was told. */
  protected TrainingService before;

  protected RecordingListener toldBefore;
  private final Tenure tenure = new Tenure();

  /** From now on the server is one of several. */
  protected void shareWork() throws Exception {
    done(service.close());
    service = open(tenure.in(surroundings()));
    prepare();
  }

  /** An attempt of a server that is one of several, which notes that it runs and waits. */
  protected Submission leftRunning() throws Exception {
    shareWork();
    Submission submission = submission("left", "echo run >>runs\n" + AWAIT_GO + "exit 5");
    submit(submission);
    Eventually.until("its command runs", () -> Files.exists(code().resolve("runs")));
    Eventually.until("that is told", () -> listener.started(submission.attempt()));
    return submission;
  }

  /** Another server takes over, and the one that was there releases its trials. */
  protected void takeOver() throws Exception {
    tenure.end();
    done(service.leave(EXPERIMENT));
    before = service;
    toldBefore = listener;
    listener = new RecordingListener();
    service = open(surroundings());
    prepare();
  }

  /** Whatever is wanted of the server of before is refused. */
  protected void assertThatTheOneBeforeRefuses(AttemptRef attempt) throws Exception {
    assertThatThrownBy(() -> done(before.submit(submission("more", "touch ran"))))
        .hasMessageContaining("another server owns");
    assertThatThrownBy(() -> done(before.cancel(attempt)))
        .hasMessageContaining("another server owns");
  }

  @Override
  protected TrialAccess access() {
    return edge;
  }

  /** A trial's channel is its keeper, so only the token is the server's. */
  @Override
  protected String identity(AttemptRef attempt) {
    return "/trial/";
  }

  /** Places have a copy of the code; these trials work in the original, as the suite expects. */
  @Override
  protected JobSpec job(String command) {
    return sharing(super.job("cd " + TrialCommand.quoted(code().toString()) + "\n" + command));
  }

  private JobSpec sharing(JobSpec job) {
    return new JobSpec(
        job.command(),
        job.codeDirectory(),
        job.gpuNumber(),
        job.parametersAsArguments(),
        job.multiPhase(),
        job.trainingService(),
        storage,
        job.metrics());
  }

  /** A trial finds its code untouched, is heard, and ends with this exit code. */
  protected void assertThatOneWithItsOwnDirectoryReportsAndEnds(int exitCode) throws Exception {
    AttemptRef attempt =
        submit(
            REPORT
                + "test ! -e \"$NNI_CODE_DIR/mine\" && touch \"$NNI_CODE_DIR/mine\" || exit 99\n"
                + "report FINAL 0 0."
                + exitCode
                + "; echo $NNI_TRIAL_JOB_ID; exit "
                + exitCode);

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(exitCode);
    assertThat(listener.points(attempt)).hasSize(1);
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo(attempt.trial().trial() + "\n");
  }

  /** The experiment is deleted, and made again with other settings. */
  protected void prepareAgain() throws Exception {
    done(service.cleanUp(EXPERIMENT));
    prepare();
  }

  /** Whether the server brings the code of trials; else they have it already. */
  protected boolean bringsCode() {
    return true;
  }

  @Test
  void whatAMachineThatLostItsPowerForgotOfAnAttemptIsThereAgainWhenItIsAdopted() throws Exception {
    Submission submission = submission("kept", "touch up\n" + AWAIT_GO);
    submit(submission);
    listener.started(submission.attempt());
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));
    Path file = AttemptLayout.attempt(home(), submission.attempt()).resolve("parameter.cfg");
    String whole = Files.readString(file);
    Files.write(file, new byte[0]);

    restart();

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThat(file).hasContent(whole);
    Files.createFile(code().resolve("go"));
    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
  }

  /** Whether this is a way in which steps of runs can be asked for. */
  protected boolean runsSteps() {
    return true;
  }

  /** C6: text is text on every training service, in a variable and in a command. */
  @Test
  void aStepHasItsCodeInputsAndVariablesAndBringsItsOutputs() throws Exception {
    assumeThat(runsSteps()).as("steps run here").isTrue();
    Path step = directory.resolve("step");
    Path outputs = Files.createDirectories(step.resolve("outputs"));
    Files.writeString(
        Files.createDirectories(step.resolve("work")).resolve("greeting"), "from the code");
    Files.writeString(
        Files.createDirectories(step.resolve("inputs/data")).resolve("rows"), "1\n2\n");
    Submission submission =
        step(
            1,
            """
            printf '%%s' "$HOSTILE" >"$ORRERY_OUTPUTS/variable"
            printf '%%s' %s >"$ORRERY_OUTPUTS/command"
            cp greeting "$ORRERY_INPUTS/data/rows" "$ORRERY_OUTPUTS/" && mkdir "$ORRERY_OUTPUTS/empty"
            ln -s rows "$ORRERY_OUTPUTS/link"
            echo "orrery: final 0.5"
            echo said
            """
                .formatted(TrialCommand.quoted(HOSTILE)));
    AttemptRef attempt = submission.attempt();
    TrainingService steps = new CarriedSteps(service, vertx, home());

    submitStep(steps, submission);
    PlatformEvent.Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode())
        .as("%s", new PrintedStreams(steps).of(attempt))
        .isEqualTo(Integer.valueOf(0));
    done(steps.bring(attempt, outputs));
    done(steps.bring(attempt, outputs));

    assertThat(outputs.resolve("variable")).hasContent(HOSTILE);
    assertThat(outputs.resolve("command")).hasContent(HOSTILE);
    assertThat(outputs.resolve("greeting")).hasContent("from the code");
    assertThat(outputs.resolve("rows")).hasContent("1\n2\n");
    assertThat(outputs.resolve("link")).isSymbolicLink();
    assertThat(outputs.resolve("empty")).isEmptyDirectory();
    assertThat(listener.points(attempt)).hasSize(1);
    assertThat(new PrintedStreams(steps).of(attempt)).contains("said\n");
    done(steps.remove(attempt.trial().experiment()));
    assertThat(AttemptLayout.attempt(home(), attempt)).doesNotExist();
  }

  @Test
  void aStepThatFailsRunsAgainAndOneThatIsStoppedEnds() throws Exception {
    assumeThat(runsSteps()).as("steps run here").isTrue();
    Files.createDirectories(directory.resolve("step/work"));
    TrainingService steps = new CarriedSteps(service, vertx, home());
    Submission first = step(1, "exit 3");
    submitStep(steps, first);
    assertThat(listener.ended(first.attempt()).exitCode()).isEqualTo(3);

    String up = directory.resolve("step-up").toString();
    Submission again = step(2, "touch " + TrialCommand.quoted(up) + "; sleep 300");
    submitStep(steps, again);
    Eventually.until("its command runs", () -> Files.exists(Path.of(up)));
    restart();
    steps = new CarriedSteps(service, vertx, home());
    assertThat(done(steps.adopt(List.of(again)))).isEmpty();
    done(steps.cancel(again.attempt()));

    assertThat(listener.ended(again.attempt()).exitCode()).isNotEqualTo(Integer.valueOf(0));
    Eventually.until("its processes are gone", () -> !runs(again.attempt()));
    done(steps.remove(again.attempt().trial().experiment()));
  }

  private Submission step(int attempt, String command) {
    Path step = directory.resolve("step");
    return new Submission(
        new AttemptRef(
            new TrialRef(new ExperimentId(ExperimentId.OF_RUNS + "contract"), new TrialId("s0")),
            attempt),
        0,
        new ParameterSet(0, null, ParameterSource.CUSTOMIZED, Parameters.EMPTY),
        BareJob.on(platform(), command, step.resolve("work").toString(), gpus()),
        new StepSetup(
            Map.of("HOSTILE", HOSTILE),
            step.resolve("inputs"),
            step.resolve("outputs"),
            ProjectName.PUBLIC),
        "");
  }

  private static void submitStep(TrainingService steps, Submission submission) throws Exception {
    ExperimentId owner = submission.attempt().trial().experiment();
    Eventually.until(
        "the step is taken",
        () -> {
          try {
            done(steps.prepare(owner, submission.job()));
            done(steps.submit(submission));
            return true;
          } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Passing) {
              return false;
            }
            throw e;
          }
        });
  }

  /** Reads both streams of a step, for messages. */
  private record PrintedStreams(TrainingService service) {
    String of(AttemptRef attempt) throws Exception {
      StringBuilder all = new StringBuilder();
      for (Stream stream : List.of(Stream.STDOUT, Stream.STDERR)) {
        byte[] bytes = done(service.readLog(attempt, stream, 0, 1 << 20)).bytes();
        all.append(new String(bytes, StandardCharsets.UTF_8));
      }
      return all.toString();
    }
  }

  @Test
  void codeAndOutputsGoThroughStorageThatIsMountedOnBothSides() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    Path there = Files.createSymbolicLink(directory.resolve("there"), here);
    storage = new SharedStorageSpec.Nfs(here.toString(), there.toString(), false, null, null);
    Files.writeString(code().resolve("data"), "original");
    prepareAgain();

    AttemptRef attempt =
        submit(
            (bringsCode() ? "cd \"$NNI_CODE_DIR\"; " : "")
                + "cat data; echo x >\"$NNI_OUTPUT_DIR/x\"; echo $NNI_OUTPUT_DIR");

    assertThat(listener.ended(attempt).exitCode()).isZero();
    String trial = "nni/contract/trials/" + attempt.trial().trial();
    assertThat(log(attempt, Stream.STDOUT))
        .isEqualTo("original" + there + "/" + trial + "/nnioutput\n");
    assertThat(here.resolve(trial + "/nnioutput/x")).hasContent("x");
    assertThat(here.resolve(trial + "/stdout")).content().startsWith("original");
    assertThat(home().resolve("experiments/contract/trials/" + attempt.trial().trial()))
        .isDirectoryRecursivelyContaining("glob:**/output/x");
    if (bringsCode()) {
      assertThat(here.resolve("nni/contract/code")).isDirectoryContaining("glob:**/*.tar.gz");
    }
  }

  @Test
  void storageThatIsNotMountedWhereATrialRunsEndsItWithThatReason() throws Exception {
    Path here = Files.createDirectory(directory.resolve("here"));
    storage = new SharedStorageSpec.Nfs(here.toString(), here + "-not", false, null, null);
    prepareAgain();

    assertThat(listener.ended(submit("true")).reason()).contains("not mounted");
    assertThat(Path.of(here + "-not")).doesNotExist();
  }
}
