package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.azure.StandInAzure;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.id.AttemptRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Volumes that pods mount, and the keys that open them. */
class StorageIT extends StillClusterFixture {
  private static final String POD = "/spec/template/spec";

  private StandInAzure azure;

  @Override
  protected void beforeService() throws Exception {
    super.beforeService();
    cluster.allow(RoleManifestTest.MANIFEST);
    azure = new StandInAzure();
    settings.put("dockerImage", "registry.example/trial:1");
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    return new JobService(
        surroundings,
        "kubernetes",
        (spec, served) -> KubernetesServiceFactory.blueprint(spec),
        ClusterTimeouts.STANDARD,
        azure.cloud(),
        StandInAzure.LOGIN);
  }

  @Override
  protected void afterService() throws Exception {
    azure.close();
    super.afterService();
  }

  private AttemptRef submittedWith(Map<String, Object> storage) throws Exception {
    settings.put("storage", storage);
    done(service.prepare(EXPERIMENT, job("true")));
    return submit("true");
  }

  @Test
  void aClaimIsMountedAndOutputsGoThere() throws Exception {
    AttemptRef attempt = submittedWith(Map.of("storageType", "pvc", "claimName", "outputs"));
    JsonNode pod = cluster.get(job(attempt)).at(POD);

    assertThat(pod.at("/volumes/0/persistentVolumeClaim/claimName").asText()).isEqualTo("outputs");
    assertThat(pod.at("/containers/0/volumeMounts/0/mountPath").asText()).isEqualTo("/tmp/mount");
    assertThat(pod.at("/containers/0/env").toString())
        .contains("\"ORRERY_OUTPUT_DIRECTORY\",\"value\":\"/tmp/mount/nni/contract/t0\"");
    assertThat(pod.at("/securityContext/fsGroup").intValue()).isEqualTo(1_000);
  }

  /** K11: what the level {@code restricted} of Pod Security asks of a pod. */
  @Test
  void thePodSatisfiesRestricted() throws Exception {
    JsonNode pod = cluster.get(job(submit("true"))).at(POD);

    assertThat(pod.at("/securityContext/runAsNonRoot").booleanValue()).isTrue();
    assertThat(pod.at("/securityContext/runAsUser").intValue()).isPositive();
    assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    JsonNode container = pod.at("/containers/0/securityContext");
    assertThat(container.path("allowPrivilegeEscalation").isBoolean()).isTrue();
    assertThat(container.path("allowPrivilegeEscalation").booleanValue()).isFalse();
    assertThat(container.at("/capabilities/drop").toString()).isEqualTo("[\"ALL\"]");
  }

  /** K11: such a volume is not allowed there, and its files may be root's. */
  @Test
  void aPodThatCannotSatisfyRestrictedRunsAsItsImageHasIt() throws Exception {
    AttemptRef attempt =
        submittedWith(Map.of("storageType", "nfs", "server", "10.10.10.10", "path", "/data"));

    assertThat(cluster.get(job(attempt)).at(POD).has("securityContext")).isFalse();
  }

  /** K11. */
  @Test
  void anAuthorMayRunAsRootAllTheSame() throws Exception {
    settings.put(
        "podTemplate",
        Map.of("spec", Map.of("securityContext", Map.of("runAsNonRoot", false, "runAsUser", 0))));

    JsonNode context = cluster.get(job(submit("true"))).at(POD + "/securityContext");

    assertThat(context.path("runAsUser").intValue()).isZero();
    assertThat(context.path("runAsNonRoot").booleanValue()).isFalse();
  }

  @Test
  void peopleAreToldWhereItsFilesAreAlsoAfterARestart() throws Exception {
    settings.put(
        "storage", Map.of("storageType", "nfs", "server", "10.10.10.10", "path", "/var/nfs/nni"));
    done(service.prepare(EXPERIMENT, job("true")));
    Submission submission = submission("t0", "true");
    submit(submission);
    pod(
        submission.attempt(),
        """
        {"phase":"Running","containerStatuses":[{"name":"main","state":{"running":
            {"startedAt":"2026-01-01T00:00:00Z"}}}]}
        """);
    Eventually.until("it runs", () -> listener.started(submission.attempt()));
    assertThat(directory(submission)).isEqualTo("nfs://10.10.10.10/var/nfs/nni/nni/contract/t0");
    cluster.delete(job(submission.attempt()));
    listener.ended(submission.attempt());

    restart();

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    listener.ended(submission.attempt());
    assertThat(directory(submission)).isEqualTo("nfs://10.10.10.10/var/nfs/nni/nni/contract/t0");
  }

  private String directory(Submission submission) {
    return listener.events(submission.attempt()).stream()
        .filter(PlatformEvent.Started.class::isInstance)
        .map(event -> ((PlatformEvent.Started) event).directory())
        .reduce((before, last) -> last)
        .orElseThrow();
  }

  @Test
  void aShareIsMadeWithTheKeyOfAVaultAndMountedByASecretOfTheExperiment() throws Exception {
    azure.throttled.set(2);
    AttemptRef attempt =
        submittedWith(
            Map.of(
                "storageType", "azureStorage",
                "azureAccount", StandInAzure.ACCOUNT,
                "azureShare", "outputs",
                "keyVaultName", "team-vault",
                "keyVaultKey", "storage-key",
                "uploadRetryCount", 3L));
    JsonNode pod = cluster.get(job(attempt)).at(POD);

    assertThat(azure.shares()).containsExactly("outputs");
    assertThat(pod.at("/volumes/0/azureFile").toString())
        .isEqualTo(
            "{\"shareName\":\"outputs\",\"readOnly\":false,\"secretName\":\"nni-exp-contract-azure\"}");
    JsonNode secret = cluster.get(SECRETS + "/nni-exp-contract-azure");
    assertThat(secret.at("/stringData/azurestorageaccountname").asText())
        .isEqualTo(StandInAzure.ACCOUNT);
    assertThat(secret.at("/stringData/azurestorageaccountkey").asText())
        .isEqualTo(StandInAzure.KEY);
    assertThat(everyFile()).doesNotContain(StandInAzure.KEY);

    Item item =
        done(service.check(job("true"), 1)).stream()
            .filter(each -> each.what().equals("storage"))
            .findFirst()
            .orElseThrow();
    assertThat(item.found()).contains("its key from the Key Vault team-vault");

    done(service.cancel(attempt));
    listener.ended(attempt);
    done(service.cleanUp(EXPERIMENT));
    assertThat(cluster.list(SECRETS)).isEmpty();
  }

  @Test
  void aRegistryIsOpenedByASecretOfTheJob() throws Exception {
    String login = "{\"auths\":{\"registry.example\":{\"auth\":\"bWU6c2VjcmV0\"}}}";
    Path file = Files.writeString(directory.resolve("config.json"), login);
    settings.put("privateRegistryAuthPath", file.toString());
    assertThat(ClusterSettings.check(job("true"))).isEmpty();

    JsonNode job = cluster.get(job(submit("true")));

    String name = job.at(POD + "/imagePullSecrets/0/name").asText();
    JsonNode secret = cluster.get(SECRETS + "/" + name);
    assertThat(secret.path("type").asText()).isEqualTo("kubernetes.io/dockerconfigjson");
    assertThat(
            new String(
                Base64.getDecoder().decode(secret.at("/data/.dockerconfigjson").asText()),
                StandardCharsets.UTF_8))
        .isEqualTo(login);
    assertThat(secret.at("/metadata/ownerReferences/0/uid")).isEqualTo(job.at("/metadata/uid"));
  }

  @Test
  void aFileThatOpensNoRegistryIsRefusedWithoutItsContent() throws Exception {
    Path file = Files.writeString(directory.resolve("other"), "a password");
    settings.put("worker", Map.of("privateRegistryAuthPath", file.toString()));

    assertThat(ClusterSettings.check(job("true")))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.pointer())
              .isEqualTo("/trainingService/worker/privateRegistryAuthPath");
          assertThat(finding.message())
              .contains("no Docker config.json")
              .doesNotContain("a password");
        });
  }

  private String everyFile() throws Exception {
    StringBuilder all = new StringBuilder();
    try (var files = Files.walk(home())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }
}
