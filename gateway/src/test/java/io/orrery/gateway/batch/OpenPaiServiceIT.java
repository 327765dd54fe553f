package io.orrery.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.openpai.QuickOpenPai;
import io.orrery.compute.openpai.StandInOpenPai;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.bus.contract.TrainingServices.Verdict;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.ProblemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Jobs of an OpenPAI cluster. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class OpenPaiServiceIT extends BatchServiceContract<StandInOpenPai> {
  @Override
  protected StandInOpenPai standIn() throws Exception {
    StandInOpenPai pai = new StandInOpenPai(directory.resolve("pai"));
    settings.put("host", pai.url());
    settings.put("username", StandInOpenPai.USER);
    settings.put("token", StandInOpenPai.TOKEN);
    settings.put("dockerImage", "python:3");
    settings.put("trialCpuNumber", 1);
    settings.put("trialMemorySize", 512);
    return pai;
  }

  @Override
  protected String name() {
    return "openpai";
  }

  @Override
  protected TrainingService quick(Surroundings surroundings) {
    return QuickOpenPai.open(surroundings);
  }

  @Override
  protected String job(AttemptRef attempt) {
    return "nni_exp_contract_trial_"
        + attempt.trial().trial()
        + (attempt.number() == 1 ? "" : "_a" + attempt.number());
  }

  private static ObjectNode role(String image, String... commands) {
    ObjectNode role = Json.MAPPER.createObjectNode();
    role.put("dockerImage", image);
    role.putObject("resourcePerInstance").put("cpu", 1).put("memoryMB", 512).put("gpu", 0);
    for (String command : commands) {
      role.withArrayProperty("commands").add(command);
    }
    return role;
  }

  private static ObjectNode document() {
    ObjectNode job = Json.MAPPER.createObjectNode();
    job.put("protocolVersion", 2).put("name", "job_of_another_user").put("type", "job");
    job.withArrayProperty("prerequisites")
        .addObject()
        .put("type", "dockerimage")
        .put("name", "image")
        .put("uri", "python:3");
    return job;
  }

  private void use(ObjectNode document) throws Exception {
    settings.put("openpaiConfig", Json.MAPPER.convertValue(document, Map.class));
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, job("true")));
  }

  @Test
  void theJobIsTheOneThatTheKeysDescribe() throws Exception {
    settings.put("virtualCluster", "default");
    AttemptRef attempt = submit("true");
    listener.ended(attempt);

    JsonNode job = standIn.document(job(attempt));

    assertThat(job.path("protocolVersion").intValue()).isEqualTo(2);
    assertThat(job.path("jobRetryCount").intValue()).isZero();
    assertThat(job.at("/prerequisites/0/uri").textValue()).isEqualTo("python:3");
    assertThat(job.at("/taskRoles/taskrole/resourcePerInstance").toString())
        .isEqualTo("{\"gpu\":0,\"cpu\":1,\"memoryMB\":512}");
    assertThat(job.at("/taskRoles/taskrole/commands")).hasSize(1);
    assertThat(job.at("/taskRoles/taskrole/commands/0").textValue())
        .contains("NNI_PLATFORM='openpai'")
        .doesNotContain(edge.token(attempt));
    assertThat(job.at("/secrets/orrery_trial_token").textValue()).isEqualTo(edge.token(attempt));
    assertThat(job.at("/defaults/virtualCluster").textValue()).isEqualTo("default");
  }

  @Test
  void aCommandThatLooksLikeATemplateIsLeftAlone() throws Exception {
    AttemptRef attempt = submit("echo '<% $secrets.orrery_trial_token %>' \"it's\"");

    listener.ended(attempt);

    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("<% $secrets.orrery_trial_token %> it's\n");
  }

  @Test
  void aJobWaitsForItsVirtualClusterAndSaysSo() throws Exception {
    standIn.gpus(-1);
    AttemptRef attempt = submit("true");

    Eventually.until("it says why it waits", () -> has(attempt, Waiting.class));
    assertThat(listener.events(attempt).getLast())
        .asString()
        .contains(job(attempt) + " waits at OpenPAI at " + standIn.url() + " (WAITING)")
        .contains("/job-detail.html?username=ada&jobName=" + job(attempt));
    standIn.gpus(4);

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void outputsGoToAStorageThatIsMountedTwice() throws Exception {
    Path mount = Files.createDirectories(standIn.storage());
    settings.put("storageConfigName", "confignfs-data");
    settings.put("localStorageMountPoint", mount.toString());
    settings.put("containerStorageMountPoint", "/mnt/confignfs-data");

    AttemptRef attempt = submit("echo x >\"$NNI_OUTPUT_DIR/left\"; echo printed");

    assertThat(listener.ended(attempt).exitCode()).isZero();
    Path files = mount.resolve("contract/" + attempt.trial().trial());
    assertThat(files).isDirectoryRecursivelyContaining("glob:**/left");
    assertThat(listener.events(attempt))
        .filteredOn(event -> event instanceof Started)
        .singleElement()
        .asString()
        .contains("file://" + files);
    assertThat(standIn.document(job(attempt)).at("/extras/storages/0/name").textValue())
        .isEqualTo("confignfs-data");
  }

  @Test
  void everyRoleOfADocumentIsWrappedAndOneReports() throws Exception {
    ObjectNode document = document();
    document.put("jobRetryCount", 3).putObject("parameters").put("word", "it's said");
    ObjectNode roles = document.putObject("taskRoles");
    roles.set(
        "Helper_Role",
        role("image", "cd '" + code() + "'", "echo helper >>who", AWAIT_GO.strip())
            .put("instances", 2));
    roles.set(
        "main",
        role(
            "image",
            "cd '" + code() + "'",
            "echo main >>who",
            "echo \"<% $parameters.word %>\"",
            REPORT + "report FINAL 0 0.5; echo {{params.lr}}",
            "touch go"));
    settings.put("reportingTaskRole", "main");
    use(document);

    AttemptRef attempt = submit("not used");

    assertThat(listener.ended(attempt).exitCode()).as(standIn.log(job(attempt))).isZero();
    assertThat(Files.readAllLines(code().resolve("who")))
        .containsExactlyInAnyOrder("helper", "helper", "main");
    assertThat(listener.points(attempt)).hasSize(1);
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("it's said\n0.01\n");
    JsonNode job = standIn.document(job(attempt));
    assertThat(job.path("name").textValue()).isEqualTo(job(attempt));
    assertThat(job.path("jobRetryCount").intValue()).isZero();
  }

  @Test
  void aPasswordIsGoodForTokensAndAskedAgainWhenOneHasRunOut() throws Exception {
    settings.remove("token");
    settings.put("password", StandInOpenPai.PASSWORD);
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(listener.ended(submit("true")).exitCode()).isZero();

    standIn.renew("another");

    assertThat(listener.ended(submit("true")).exitCode()).isZero();
    assertThat(standIn.calls).filteredOn(call -> call.endsWith("/api/v1/token")).hasSize(2);
  }

  @Test
  void aWrongTokenIsSaidAndNotShown() throws Exception {
    settings.put("token", "not this one");

    assertThatThrownBy(() -> submit("true"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("HTTP 401")
        .hasMessageContaining("Guest is not allowed")
        .message()
        .doesNotContain("not this one");
  }

  @Test
  void aJobOfAnotherUserIsNotTakenForATrials() throws Exception {
    AttemptRef first = submit("true");
    listener.ended(first);
    done(service.cleanUp(EXPERIMENT));
    done(service.prepare(EXPERIMENT, job("true")));

    assertThatThrownBy(() -> done(service.submit(submission("t0", "true"))))
        .hasMessageContaining("has a job nni_exp_contract_trial_t0 that is not of this trial");
  }

  @Test
  void aCheckLooksAtServiceLoginClusterStorageAndWayBack() throws Exception {
    List<Item> items = done(service.check(job("true"), 1));

    assertThat(items)
        .extracting(Item::what)
        .containsExactly("service", "login", "virtual cluster", "storage", "callback");
    assertThat(items.subList(0, 4)).extracting(Item::verdict).containsOnly(Verdict.GOOD);
    assertThat(items.get(4).verdict()).isEqualTo(Verdict.DOUBTFUL);

    settings.put("virtualCluster", "nowhere");
    settings.put("trialMemorySize", 1 << 30);
    assertThat(done(service.check(job("true"), 1)).get(2).found()).contains("there is no nowhere");
    settings.put("virtualCluster", "default");
    assertThat(done(service.check(job("true"), 1)).get(2).found())
        .contains("never enough", "memory");
    settings.put("token", "wrong");
    assertThat(done(service.check(job("true"), 1)).getFirst())
        .satisfies(item -> assertThat(item.what()).isEqualTo("login"))
        .satisfies(item -> assertThat(item.verdict()).isEqualTo(Verdict.BAD));
    standIn.away();
    assertThat(done(service.check(job("true"), 1)).getFirst().found())
        .contains("cannot be reached");
  }
}
