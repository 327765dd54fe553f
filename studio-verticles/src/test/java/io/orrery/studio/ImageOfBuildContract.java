package io.orrery.studio;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.DomainRoutes;
import io.orrery.core.bus.contract.Domains.Action;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.bus.contract.Routes;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Services.PutService;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.time.SystemClock;
import io.orrery.studio.build.EndedBuilds;
import io.orrery.studio.control.ServiceController;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Services take the last images of builds alike on every store. */
abstract class ImageOfBuildContract extends ServiceFixture {
  private static final String TARGET = "hub.example.com/vision/tool:1";
  private static final String ELSEWHERE = "hub.example.com/other/tool:1";
  private static final String OF_BUILD =
      "{\"command\":\"serve\",\"ports\":[8080],\"imageOf\":\"tool\"}";

  @BeforeEach
  void check() throws Exception {
    success(
        bus.serve(
            Builds.CHECK, asked -> Future.succeededFuture(new Builds.BuildChecked(List.of()))));
  }

  private static String digest(String digit) {
    return "sha256:" + digit.repeat(64);
  }

  private static String image(String target, String digit) {
    return target.replace(":1", "@" + digest(digit));
  }

  private static BuildSpec spec(String target) {
    return new BuildSpec(target, "FROM scratch", null, null, Map.of(), Map.of());
  }

  private ImageBuild build(ProjectName project, String target, boolean creates) throws Exception {
    return success(
            bus.request(
                Builds.PUT,
                new Builds.PutBuild(ANN, "tool", project, spec(target), creates, null, false)))
        .build();
  }

  private void end(ImageBuild build, BuildStatus status, @Nullable String digit) throws Exception {
    success(
        bus.request(
            Builds.REPORT,
            new Builds.ReportBuild(
                build.name(),
                build.number(),
                status,
                null,
                digit == null ? null : digest(digit),
                null)));
  }

  /** Another start of the build, to its end. */
  private void again(BuildStatus status, @Nullable String digit) throws Exception {
    end(success(bus.request(Builds.START, new Builds.StartBuild(ANN, "tool"))), status, digit);
  }

  private String image() {
    return wanted("service/hello").spec().image();
  }

  private Finding refused(String document) throws Exception {
    Problem problem = failure(bus.request(Services.PUT, document(document, true, null)));
    assertThat(problem).isInstanceOf(Problem.Refused.class);
    return ((Problem.Refused) problem).findings().getFirst();
  }

  @Test
  void aRestartAndADeploymentTakeTheLastImageAndNothingElseDoes() throws Exception {
    end(build(VISION, TARGET, true), BuildStatus.SUCCEEDED, "1");
    put(OF_BUILD, true);

    assertThat(image()).isEqualTo(image(TARGET, "1"));
    assertThat(get().stages().getFirst().image()).isEqualTo(image(TARGET, "1"));

    again(BuildStatus.SUCCEEDED, "2");
    assertThat(put(OF_BUILD, false).outcome()).isEqualTo(Outcome.UNCHANGED);
    scale(1);
    assertThat(image()).isEqualTo(image(TARGET, "1"));
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(image()).isEqualTo(image(TARGET, "2"));
    assertThat(get().stages().getFirst().image()).isEqualTo(image(TARGET, "2"));

    again(BuildStatus.SUCCEEDED, "3");
    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    assertThat(image()).isEqualTo(image(TARGET, "3"));
    assertThat(
            success(
                    bus.request(
                        Audits.LIST,
                        new Audits.ListEntries(
                            null, "service", "hello", null, null, null, null, 10)))
                .items()
                .toString())
        .contains(image(TARGET, "2"), image(TARGET, "3"));
  }

  @Test
  void aBuildThatRunsOrFailedHasTheImageOfBeforeWhereItWasPushed() throws Exception {
    end(build(VISION, TARGET, true), BuildStatus.SUCCEEDED, "1");
    ImageBuild moved = build(VISION, ELSEWHERE, false);
    put(OF_BUILD, true);
    assertThat(image()).as("while another target is built").isEqualTo(image(TARGET, "1"));

    end(moved, BuildStatus.FAILED, null);
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(image()).as("after it failed").isEqualTo(image(TARGET, "1"));

    again(BuildStatus.SUCCEEDED, "2");
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(image()).isEqualTo(image(ELSEWHERE, "2"));
  }

  @Test
  void aRollbackTakesTheImageThatItsRevisionHad() throws Exception {
    end(build(VISION, TARGET, true), BuildStatus.SUCCEEDED, "1");
    put(OF_BUILD, true);
    again(BuildStatus.SUCCEEDED, "2");
    // Another stage tries the newer one.
    success(bus.request(Services.DEPLOY, at(ServiceStage.TEST)));
    assertThat(wanted.get(ServiceStage.TEST.workload(HELLO)).spec().image())
        .isEqualTo(image(TARGET, "2"));
    put(OF_BUILD.replace("serve", "serve --fast"), false);
    assertThat(image()).isEqualTo(image(TARGET, "2"));

    success(
        bus.request(
            Services.PUT,
            new PutService(ANN, HELLO, VISION, OF_BUILD, false, null, false, List.of(), 1L)));
    assertThat(image()).isEqualTo(image(TARGET, "1"));
    assertThat(wanted("service/hello").spec().command()).contains("serve");

    for (int i = 0; i < 2; i++) {
      success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
      assertThat(image()).as("a restart keeps it").isEqualTo(image(TARGET, "1"));
    }
    scale(1);
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(image()).isEqualTo(image(TARGET, "1"));
    success(bus.request(Services.DEPLOY, at(ServiceStage.TEST)));
    success(bus.request(Services.RESTART, at(ServiceStage.TEST)));
    assertThat(wanted.get(ServiceStage.TEST.workload(HELLO)).spec().image())
        .as("another stage was not rolled back")
        .isEqualTo(image(TARGET, "2"));

    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    assertThat(image()).as("a deployment takes the last one").isEqualTo(image(TARGET, "2"));
    again(BuildStatus.SUCCEEDED, "3");
    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(image()).as("and so do restarts after it").isEqualTo(image(TARGET, "3"));
  }

  @Test
  void anUpgradeThatIsAbortedLeavesTheImageOfBeforeToRestarts() throws Exception {
    deployController();
    String slow = OF_BUILD.replace("{", "{\"rollout\":{\"steps\":[20,100],\"every\":\"10m\"},");
    end(build(VISION, TARGET, true), BuildStatus.SUCCEEDED, "1");
    put(slow, true);
    again(BuildStatus.SUCCEEDED, "2");
    // The same revision with another image.
    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    assertThat(image()).isEqualTo(image(TARGET, "2"));

    success(bus.request(Services.STEER, new Services.SteerUpgrade(ANN, HELLO, Action.ABORT)));
    await().atMost(Duration.ofSeconds(30)).until(() -> wanted("service/hello").generation() == 3);
    assertThat(image()).isEqualTo(image(TARGET, "1"));

    success(bus.request(Services.RESTART, at(ServiceStage.PRODUCTION)));
    assertThat(image()).as("a restart keeps it").isEqualTo(image(TARGET, "1"));
    success(bus.request(Services.DEPLOY, at(ServiceStage.PRODUCTION)));
    assertThat(image()).as("a deployment takes the last one").isEqualTo(image(TARGET, "2"));
  }

  private void deployController() throws Exception {
    bus.serve(DomainRoutes.LIST, all -> Future.succeededFuture(new DomainRoutes.Listed(List.of())));
    bus.serve(
        Routes.TRAFFIC,
        asked -> Future.succeededFuture(new Routes.Traffic(1, 1, 1, List.of(), List.of())));
    success(
        vertx.deployVerticle(
            new ServiceController(
                bus, store, new SystemClock(vertx), ZoneId.of("UTC"), new SecureRandom())));
  }

  @Test
  void aBuildWhoseImageServicesTakeIsNotDeletedAndTheyAreNamed() throws Exception {
    end(build(VISION, TARGET, true), BuildStatus.SUCCEEDED, "1");
    put(OF_BUILD, true);

    Problem refused = failure(bus.request(Builds.DELETE, new Builds.DeleteBuild(ANN, "tool")));

    assertThat(refused).isInstanceOf(Problem.Conflict.class);
    assertThat(refused.detail()).isEqualTo("Build tool is used by the service hello, by imageOf.");
    success(bus.request(Builds.GET, new Builds.GetBuild("tool")));
    put(OF_BUILD.replace("\"imageOf\":\"tool\"", "\"image\":\"a:1\""), false);
    success(bus.request(Builds.DELETE, new Builds.DeleteBuild(ANN, "tool")));
  }

  @Test
  void whatHasNoImageIsAFindingAtItsPlace() throws Exception {
    assertThat(refused(OF_BUILD))
        .isEqualTo(new Finding("/imageOf", "the project vision has no build 'tool'"));
    ImageBuild first = build(VISION, TARGET, true);
    assertThat(refused(OF_BUILD).message()).contains("QUEUED", "no image yet", "--follow");
    end(first, BuildStatus.FAILED, null);
    assertThat(refused(OF_BUILD).message()).contains("FAILED", "orrery build logs tool");
    again(BuildStatus.SUCCEEDED, "1");
    assertThat(refused(OF_BUILD.replace("\"command\"", "\"image\":\"a:1\",\"command\"")))
        .satisfies(both -> assertThat(both.pointer()).isEqualTo("/imageOf"))
        .satisfies(both -> assertThat(both.message()).contains("leave one of them out"));
    missing.add("image x is not there and cannot be pulled");
    assertThat(refused(OF_BUILD).message()).contains("cannot be pulled");
    assertThat(wanted).isEmpty();
  }

  @Test
  void aBuildOfAnotherProjectDoesNotExist() throws Exception {
    ProjectName other = new ProjectName("other");
    success(
        bus.request(
            Projects.PUT, new Projects.PutProject(ANN, other, "Other", "{}", "{}", true, null)));
    end(build(other, TARGET, true), BuildStatus.SUCCEEDED, "1");

    assertThat(refused(OF_BUILD))
        .isEqualTo(new Finding("/imageOf", "the project vision has no build 'tool'"));
  }

  @Test
  void theRuleOfBuildsKeepsTheBuildWhoseImageAServiceTakes() throws Exception {
    end(build(VISION, TARGET, true), BuildStatus.SUCCEEDED, "1");
    put(OF_BUILD, true);
    OldObject old = old();
    assertThat(old.usedBy()).isEqualTo("service hello");
    EndedBuilds ended = new EndedBuilds(bus, store);
    assertThat(failure(ended.remove(ANN, old, later())).detail()).contains("service hello");

    put(OF_BUILD.replace("\"imageOf\":\"tool\"", "\"image\":\"a:1\""), false);
    assertThat(old().usedBy()).isNull();
    success(ended.remove(ANN, old, later()));
    assertThat(failure(bus.request(Builds.GET, new Builds.GetBuild("tool"))))
        .isInstanceOf(Problem.NotFound.class);
  }

  private static Instant later() {
    return Instant.now().plus(Duration.ofDays(1));
  }

  private OldObject old() throws Exception {
    return success(new EndedBuilds(bus, store).find(later(), null, 10)).items().getFirst();
  }
}
