package io.orrery.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.dlc.QuickDlc;
import io.orrery.compute.dlc.StandInDlc;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of PAI-DLC. */
class DlcServiceIT extends BatchServiceContract<StandInDlc> {
  @Override
  protected StandInDlc standIn() throws Exception {
    StandInDlc dlc = new StandInDlc(directory.resolve("dlc"));
    settings.put("endpoint", dlc.url());
    settings.put("region", "cn-hangzhou");
    settings.put("workspaceId", StandInDlc.WORKSPACE);
    settings.put("accessKeyId", StandInDlc.KEY);
    settings.put("accessKeySecret", StandInDlc.SECRET);
    settings.put("image", "python:3");
    settings.put("podCount", 1);
    settings.put("ecsSpec", "ecs.c6.large");
    return dlc;
  }

  @Override
  protected String name() {
    return "dlc";
  }

  @Override
  protected TrainingService quick(Surroundings surroundings) {
    return QuickDlc.open(surroundings);
  }

  @Override
  protected String job(AttemptRef attempt) {
    return "nni_exp_contract_trial_"
        + attempt.trial().trial()
        + (attempt.number() == 1 ? "" : "_a" + attempt.number());
  }

  @Test
  void theJobIsTheOneThatTheKeysDescribe() throws Exception {
    Path nas = Files.createDirectories(directory.resolve("nas"));
    settings.put("nasDataSourceId", "data-1");
    settings.put("localStorageMountPoint", nas.toString());
    settings.put("containerStorageMountPoint", nas.toString());
    AttemptRef attempt = submit("echo x >\"$NNI_OUTPUT_DIR/left\"");
    listener.ended(attempt);

    JsonNode job = standIn.document(job(attempt));

    assertThat(job.at("/JobSpecs/0").toString())
        .isEqualTo(
            "{\"Type\":\"Worker\",\"Image\":\"python:3\",\"PodCount\":1,\"EcsSpec\":\"ecs.c6.large\"}");
    assertThat(job.at("/DataSources/0/DataSourceId").textValue()).isEqualTo("data-1");
    assertThat(job.at("/Envs/NNI_PLATFORM").textValue()).isEqualTo("dlc");
    assertThat(nas).isDirectoryRecursivelyContaining("glob:**/left");
  }

  @Test
  void aWrongSecretIsSaidAndNotShown() {
    settings.put("accessKeySecret", "not this one");

    assertThatThrownBy(() -> submit("true"))
        .hasMessageContaining("The signature does not conform")
        .message()
        .doesNotContain("not this one");
  }

  @Test
  void aCheckLooksAtServiceLoginWorkspaceAndWayBack() throws Exception {
    List<Item> items = done(service.check(job("true"), 1));

    assertThat(items)
        .extracting(Item::what)
        .containsExactly("service", "login", "workspace", "callback");
    assertThat(items.subList(0, 3)).extracting(Item::verdict).containsOnly(Verdict.GOOD);
    settings.put("workspaceId", "1");
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("workspace");
    settings.put("accessKeySecret", "wrong");
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("login");
    standIn.away();
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("service");
  }

  @Test
  void ofTwoJobsOfANameTheOneThatRunsIsFollowed() throws Exception {
    theJobThatRunsIsFollowedAndTheOtherOneStopped(standIn);
  }
}
