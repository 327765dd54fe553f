package io.orrery.gateway.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.Tenure;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceContract;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.json.Json;
import io.orrery.core.trial.AttemptRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every platform does, done by one whose trials have keepers that talk to the real edge; and
 * what these have besides: storage that they share with the server.
 */
public abstract class KeptServiceContract extends TrainingServiceContract {
  protected final KeptEdge edge = new KeptEdge(() -> listener);

  /** What trials share with the server; null for nothing. */
  protected @Nullable SharedStorageSpec storage;

  /** The server that looked after the trials before, and what it was told. */
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

  /** Another server takes over, and the one that was there lets go. */
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
  protected ExperimentSpec spec(String command) {
    return sharing(super.spec("cd " + TrialCommand.quoted(code().toString()) + "\n" + command));
  }

  private ExperimentSpec sharing(ExperimentSpec spec) {
    ObjectNode json = Json.MAPPER.valueToTree(spec);
    json.set("sharedStorage", Json.MAPPER.valueToTree(storage));
    return storage == null ? spec : Json.read(json.toString(), ExperimentSpec.class);
  }

  /** A trial finds its code as nobody has left it, is heard, and ends with this exit code. */
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
