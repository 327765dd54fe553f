package io.orrery.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.aml.QuickAml;
import io.orrery.compute.aml.StandInAml;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.id.AttemptRef;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Jobs of an Azure Machine Learning workspace. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class AmlServiceIT extends BatchServiceContract<StandInAml> {
  private Map<String, String> environment = StandInAml.APPLICATION;

  @Override
  protected StandInAml standIn() throws Exception {
    settings.put("subscriptionId", "sub");
    settings.put("resourceGroup", "group");
    settings.put("workspaceName", "space");
    settings.put("computeTarget", "cluster");
    settings.put("dockerImage", "python:3");
    return new StandInAml(directory.resolve("azure"));
  }

  @Override
  protected String name() {
    return "aml";
  }

  @Override
  protected TrainingService quick(Surroundings surroundings) {
    return QuickAml.open(surroundings, standIn.url(), environment);
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

    assertThat(job.path("experimentName").textValue()).isEqualTo("nni_exp_contract");
    assertThat(job.path("command").textValue()).startsWith("python3 -c ");
    assertThat(job.at("/environmentVariables/NNI_PLATFORM").textValue()).isEqualTo("aml");
  }

  @Test
  void aManagedIdentityNeedsNoSecret() throws Exception {
    environment = Map.of();
    restart();

    assertThat(listener.ended(submit("true")).exitCode()).isZero();
    assertThat(standIn.calls).contains("GET /metadata/identity/oauth2/token");
  }

  @Test
  void aManagedIdentityOfAContainerIsAskedForWhereItsEnvironmentSays() throws Exception {
    environment =
        Map.of(
            "IDENTITY_ENDPOINT",
            standIn.url() + "/msi/token",
            "IDENTITY_HEADER",
            StandInAml.IDENTITY_HEADER,
            "AZURE_CLIENT_ID",
            "assigned");
    restart();

    assertThat(listener.ended(submit("true")).exitCode()).isZero();
    assertThat(standIn.calls)
        .contains("GET /msi/token")
        .doesNotContain("GET /metadata/identity/oauth2/token");
  }

  @Test
  void aTokenThatIsRefusedIsReplaced() throws Exception {
    AttemptRef attempt = submit(AWAIT_GO);
    Eventually.until("it runs", () -> listener.started(attempt));

    standIn.forgetTokens();
    go();

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void aWrongSecretIsSaidAndNotShown() throws Exception {
    environment =
        Map.of(
            "AZURE_TENANT_ID", "tenant", "AZURE_CLIENT_ID", "app", "AZURE_CLIENT_SECRET", "wrong1");
    restart();

    assertThatThrownBy(() -> submit("true"))
        .hasMessageContaining("HTTP 401, Invalid client secret provided.")
        .message()
        .doesNotContain("wrong1");
  }

  @Test
  void aCheckLooksAtServiceLoginWorkspaceComputeAndWayBack() throws Exception {
    List<Item> items = done(service.check(job("true"), 1));

    assertThat(items)
        .extracting(Item::what)
        .containsExactly("service", "login", "workspace", "compute", "callback");
    assertThat(items.subList(0, 4)).extracting(Item::verdict).containsOnly(Verdict.GOOD);
    settings.put("computeTarget", "none");
    assertThat(done(service.check(job("true"), 1)).get(3).verdict()).isEqualTo(Verdict.BAD);
    settings.put("workspaceName", "none");
    assertThat(done(service.check(job("true"), 1)).get(2).verdict()).isEqualTo(Verdict.BAD);
    standIn.away();
    assertThat(done(service.check(job("true"), 1)).getFirst().what()).isEqualTo("service");
  }
}
