package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

/** The key {@code multiThread}, which only NNI's first version has and which is kept in both. */
class MultiThreadTest extends SpecFixture {
  private static final String OWN =
      GOOD.replace("name: TPE", "className: mine.Tuner\n  codeDirectory: code");

  private AlgorithmSpec tuner(String file) {
    return spec(file).search().tuner();
  }

  @Test
  void theTunerHasItInBothForms() throws Exception {
    assertThat(tuner(OWN).multiThread()).isFalse();
    assertThat(tuner(OWN + "multiThread: true\n").multiThread()).isTrue();
    write("code/mine.py", "");
    String v1 =
        """
        trialConcurrency: 2
        trainingServicePlatform: local
        searchSpacePath: space.json
        useAnnotation: false
        multiThread: true
        tuner: {codeDir: code, classFileName: mine.py, className: Tuner}
        trial: {command: python3 trial.py, codeDir: code}
        """;
    assertThat(tuner(v1).multiThread()).isTrue();
    assertThat(read(v1).notices()).noneMatch(notice -> notice.contains("multiThread"));
  }

  @Test
  void aNoticeSaysThatABuiltInTunerDoesNothingWithIt() {
    String notice = "multiThread has no effect on a built-in tuner.";
    assertThat(read(GOOD + "multiThread: true\n").notices()).contains(notice);
    assertThat(read(GOOD + "multiThread: false\n").notices()).doesNotContain(notice);
    assertThat(read(OWN + "multiThread: true\n").notices()).doesNotContain(notice);
  }

  @Test
  void anAdvisorHasItNot() {
    String advisor = OWN.replace("tuner:", "advisor:") + "multiThread: true\n";
    assertThat(read(advisor).findings()).isEmpty();
    assertThat(tuner(advisor).multiThread()).isFalse();
  }

  @Test
  void itIsStoredWhereItIsSetAlone() {
    assertThat(Json.write(tuner(OWN))).doesNotContain("multiThread");
    String set = Json.write(tuner(OWN + "multiThread: true\n"));
    assertThat(Json.read(set, AlgorithmSpec.class).multiThread()).isTrue();
  }
}
