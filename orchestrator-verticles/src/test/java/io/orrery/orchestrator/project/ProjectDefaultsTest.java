package io.orrery.orchestrator.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.BareJob;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.project.HostMounts;
import io.orrery.core.trial.Parameters;
import io.orrery.orchestrator.project.ProjectDefaults.Given;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gives specifications the defaults of a project. */
class ProjectDefaultsTest {
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Map<String, Map<String, String>> CLUSTERS =
      Map.of("kube", Map.of("kubeconfig", "/etc/kube", "context", "dev", "namespace", "automl"));

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static JobSpec job(String platform, Map<String, Object> settings) {
    return BareJob.on(
        new TrainingServiceSpec(platform, new Parameters(settings)), "true", "/code", null);
  }

  private Given give(String projectSettings, JobSpec job) throws Exception {
    Instant now = Instant.EPOCH;
    await(
        bus.serve(
            Projects.GET,
            asked ->
                Future.succeededFuture(
                    new Projects.Project(VISION, "", projectSettings, "{}", "ann", now, now, 1))));
    return await(
        new ProjectDefaults(
                bus, CLUSTERS, Set.of("here", "podman"), new HostMounts(List.of("/srv/data")))
            .give(job, new ResourceOwner(VISION, "ann")));
  }

  @Test
  void theClusterOfTheProjectIsTakenWhereTheFileNamesNone() throws Exception {
    Given given = give("{\"cluster\": \"kube\"}", job("kubernetes", Map.of()));

    assertThat(given.job().trainingService().settings().values())
        .containsEntry("kubeconfig", "/etc/kube")
        .containsEntry("context", "dev")
        .containsEntry("namespace", "automl")
        .containsKey("ofProject");
    assertThat(given.notices())
        .containsExactly("The project vision gives its pods the cluster kube.");
  }

  @Test
  void aFileThatNamesAKubeconfigOrANamespaceKeepsIt() throws Exception {
    assertThat(
            give("{\"cluster\": \"kube\"}", job("adl", Map.of("kubeconfig", "/my/kube")))
                .job()
                .trainingService()
                .settings()
                .values())
        .containsEntry("kubeconfig", "/my/kube")
        .doesNotContainKeys("context", "namespace");
  }

  @Test
  void eachPlatformOfSeveralIsGivenTheDefaultsThatConcernIt() throws Exception {
    Given given =
        give(
            "{\"cluster\": \"kube\"}",
            job(
                "hybrid",
                Map.of(
                    "services",
                    List.of(
                        Map.of("platform", "local"),
                        Map.of("platform", "kubeflow", "namespace", "mine")))));

    assertThat(given.job().trainingService().settings().values().get("services"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .satisfiesExactly(
            local -> assertThat(local).isEqualTo(Map.of("platform", "local")),
            pods ->
                assertThat(pods)
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("namespace", "mine")
                    .containsEntry("kubeconfig", "/etc/kube"));
  }

  @Test
  void aClusterThatIsNotThereIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> give("{}", job("kubernetes", Map.of("cluster", "kubs"))))
        .hasMessageContaining("no Kubernetes cluster 'kubs'")
        .hasMessageContaining("kube");
  }

  @Test
  void aClusterOfTheProjectThatIsNotThereIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> give("{\"cluster\": \"gone\"}", job("kubernetes", Map.of())))
        .hasMessageContaining("its project vision is on gone")
        .hasMessageContaining("kube");
  }

  @ParameterizedTest
  @ValueSource(strings = {"here", "podman"})
  void trialsOnKubernetesStayWhereTheyAreWhenTheirProjectIsNot(String cluster) throws Exception {
    Given given = give("{\"cluster\": \"" + cluster + "\"}", job("kubernetes", Map.of()));

    assertThat(given.job().trainingService().settings().values()).doesNotContainKey("kubeconfig");
    assertThat(given.notices()).isEmpty();
  }

  @Test
  void aMountOfTheNodeThatIsNotListedIsRefused() {
    assertThatThrownBy(() ->
            give(
                "{\"volume_mount\": \"/etc:/etc-of-node;/srv/data:/data\"}",
                job("kubernetes", Map.of())))
        .hasMessageContaining("volume_mount of the project vision: /etc may not be mounted");
  }

  @Test
  void aTrialOfThisMachineIsGivenNothing() throws Exception {
    JobSpec local = job("local", Map.of());

    assertThat(give("{\"cluster\": \"gone\"}", local).job()).isSameAs(local);
  }
}
