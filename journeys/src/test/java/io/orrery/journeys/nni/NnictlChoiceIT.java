package io.orrery.journeys.nni;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chooses the experiment for a verb as NNI does: without an id, by an id, by its beginning. */
@Timeout(120)
class NnictlChoiceIT extends NnictlJourney {
  /** Verbs that read one experiment. */
  private static final List<String[]> LOOKS =
      List.of(
          new String[] {"experiment", "status"},
          new String[] {"experiment", "show"},
          new String[] {"trial", "ls"},
          new String[] {"experiment", "export", "-t", "json", "-f", "all.json"},
          new String[] {"config", "show"},
          new String[] {"webui", "url"},
          new String[] {"log", "trial"});

  /** Verbs that change one experiment. */
  private static final List<String[]> CHANGES =
      List.of(
          new String[] {"stop"},
          new String[] {"update", "trialnum", "-v", "9"},
          new String[] {"update", "concurrency", "-v", "2"},
          new String[] {"update", "duration", "-v", "2h"},
          new String[] {"trial", "kill", "-T", "abcde"},
          new String[] {"tensorboard", "start"});

  private String created(String command) throws IOException {
    write("config.yml", CONFIG.formatted(command, 2));
    return id(well("create", "--config", "config.yml", "--port", "" + FreePort.take()).out());
  }

  private String stopped() throws IOException {
    String id = created("sleep 1000");
    well("stop", id);
    awaitStatus(id, "STOPPED");
    return id;
  }

  private void allAreRefused(List<String[]> verbs, String... reasons) {
    for (String[] verb : verbs) {
      Result result = run(verb);
      assertThat(result.code()).as(String.join(" ", verb)).isEqualTo(1);
      assertThat(result.err()).as(String.join(" ", verb)).contains(reasons);
    }
  }

  @Test
  void stoppedOnesAreNeverMeant() throws Exception {
    stopped();
    stopped();
    allAreRefused(LOOKS, "there is no experiment running");
    allAreRefused(CHANGES, "there is no experiment running");
    impatient = true;
    assertThat(well("top").out()).isEqualTo("There is no experiment running...\n");
    impatient = false;

    String running = created("sleep 1000");
    for (String[] verb : LOOKS) {
      assertThat(run(verb).code()).as(String.join(" ", verb)).isZero();
    }
    assertThat(well("experiment", "show").json().path("id").asText()).isEqualTo(running);
    assertThat(well("webui", "url").out()).contains(running);
    well("update", "trialnum", "-v", "9");
    assertThat(well("experiment", "show", running).json().at("/params/maxTrialNumber").asInt())
        .isEqualTo(9);
  }

  @Test
  void ofSeveralNoneIsMeantAlsoWhenOneIsDone() throws Exception {
    String done = created("'echo orrery: final 1'");
    awaitStatus(done, "DONE");
    String running = created("sleep 1000");
    allAreRefused(LOOKS, done + " (DONE)", running + " (RUNNING)");
    allAreRefused(CHANGES, done + " (DONE)", running + " (RUNNING)");
    impatient = true;
    assertThat(well("top").out()).contains(done, running);
    impatient = false;
    assertThat(well("experiment", "list").out()).contains(done, running);

    assertThat(run("stop", "all").err()).contains("nnictl stop --all");
    assertThat(well("experiment", "status", running).out()).contains("RUNNING");
    assertThat(run("stop", "none*").err()).contains("whose id begins with 'none'");
    well("stop", "--all");
    assertThat(run("stop").err()).contains("there is no experiment running");
  }

  @Test
  void theBeginningOfAnIdStopsTheOneThatRuns() throws Exception {
    String stopped = stopped();
    String running = created("sleep 1000");
    String other = created("sleep 1000");
    assertThat(well("stop", running.substring(0, 6)).out())
        .contains("Stopping experiment " + running)
        .doesNotContain(stopped, other);
    awaitStatus(running, "STOPPED");
    assertThat(well("experiment", "status", other).out()).contains("RUNNING");

    Result none = run("stop", "none");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("none");
  }

  @Test
  void oneThatRunsKeepsItsPort() throws Exception {
    String running = created("sleep 1000");
    int before = index().path(running).path("port").asInt();
    Result refused = run("resume", running, "--port", "" + FreePort.take());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains(running + " is RUNNING at port " + before);
    assertThat(index().path(running).path("port").asInt()).isEqualTo(before);
    assertThat(run("top", "--time", "0").err()).contains("--time must be 1 second or more");
  }
}
