package io.orrery.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.dlts.DltsServiceFactory;
import io.orrery.compute.dlts.QuickDlts;
import io.orrery.compute.dlts.StandInDlts;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.id.AttemptRef;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Jobs of a DLTS cluster. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class DltsServiceIT extends BatchServiceContract<StandInDlts> {
  private final Map<String, String> environment =
      new ConcurrentHashMap<>(Map.of("DLTS_JOB_TOKEN", StandInDlts.PASSWORD));

  @Override
  protected StandInDlts standIn() throws Exception {
    StandInDlts dlts = new StandInDlts(directory.resolve("dlts"));
    settings.put("dashboard", dlts.url());
    settings.put("cluster", StandInDlts.CLUSTER);
    settings.put("team", StandInDlts.TEAM);
    settings.put("email", StandInDlts.EMAIL);
    settings.put("dockerImage", "python:3");
    return dlts;
  }

  @Override
  protected String name() {
    return "dlts";
  }

  /** The password is what a job of DLTS would find. */
  @Override
  protected TrainingService quick(Surroundings surroundings) {
    return QuickDlts.open(surroundings, environment);
  }

  @Override
  protected String job(AttemptRef attempt) {
    return "nni_exp_contract_trial_"
        + attempt.trial().trial()
        + (attempt.number() == 1 ? "" : "_a" + attempt.number());
  }

  @Test
  void theJobIsTheOneThatTheKeysDescribe() throws Exception {
    AttemptRef attempt = submit("true");
    listener.ended(attempt);

    JsonNode job = standIn.document(job(attempt));

    assertThat(job.path("gpuType").textValue()).isEqualTo("P40");
    assertThat(job.path("image").textValue()).isEqualTo("python:3");
    assertThat(job.path("cmd").textValue()).contains("export NNI_PLATFORM=dlts");
  }

  @Test
  void aServerThatIsAJobItselfHasItsPortOpened() throws Exception {
    environment.put("DLTS_JOB_ID", StandInDlts.SERVER);
    assertThat(done(service.check(job("true"), 1)).getLast().found()).contains(StandInDlts.SERVER);

    // Asked for, and then not open yet: the server tries again.
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> submit("true")).hasMessageContaining("is about to open port");
    }
    AttemptRef attempt = submit("true");

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(standIn.document(job(attempt)).path("cmd").textValue())
        .contains("http://" + StandInDlts.NODE + ":");
  }

  @Test
  void aWrongPasswordIsSaidAndNotShownEvenWhenTheServiceRepeatsIt() {
    settings.put("password", "not this one");

    assertThatThrownBy(() -> submit("true"))
        .hasMessageContaining("HTTP 403, Invalid password …")
        .message()
        .doesNotContain("not this one");
  }

  @Test
  void missingSettingsAreNamed() {
    settings.remove("team");

    assertThat(new DltsServiceFactory().check(job("true")))
        .anySatisfy(finding -> assertThat(finding.message()).contains("DLWS_VC_NAME"));
  }

  @Test
  void aCheckLooksAtServiceLoginTeamAndWayBack() throws Exception {
    List<Item> items = done(service.check(job("true"), 1));

    assertThat(items)
        .extracting(Item::what)
        .containsExactly("service", "login", "team", "callback");
    assertThat(items.subList(0, 3)).extracting(Item::verdict).containsOnly(Verdict.GOOD);
    settings.put("cluster", "nowhere");
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("team");
    settings.put("password", "wrong");
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("login");
    standIn.away();
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("service");
  }

  @Test
  void ofTwoJobsOfANameTheOneThatRunsIsFollowed() throws Exception {
    theJobThatRunsIsFollowedAndTheOtherOneStopped(standIn);
  }
}
