package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.BuildChecked;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Builds.PutBuild;
import io.orrery.core.bus.contract.Builds.ReportBuild;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keeps builds of images, on every store alike. */
abstract class BuildContract extends StudioFixture {
  private static final Actor CLEO = new Actor("cleo", "10.0.0.2");
  private static final String TARGET = "hub.example.com/vision/tool:1";

  /** What the orchestrator finds missing. */
  private final AtomicReference<List<String>> missing = new AtomicReference<>(List.of());

  @BeforeEach
  void serve() throws Exception {
    success(
        bus.serve(Builds.CHECK, asked -> Future.succeededFuture(new BuildChecked(missing.get()))));
    success(
        bus.serve(
            Notebooks.LIST,
            asked -> Future.succeededFuture(new Notebooks.NotebookPage(List.of(), null))));
    success(
        bus.serve(
            PipelineRuns.LIST,
            asked -> Future.succeededFuture(new PipelineRuns.RunPage(List.of(), null))));
    ask(Projects.PUT, new Projects.PutProject(CLEO, VISION, "Vision", "{}", "{}", true, null));
  }

  private static BuildSpec spec(String base) {
    return new BuildSpec(
        TARGET,
        "FROM " + base + "\nRUN printf '%s' \"é\"",
        null,
        "a".repeat(64),
        Map.of("VERSION", "1", "EMPTY", ""),
        Map.of("token", "secret:hub"));
  }

  private static PutBuild put(String name, ProjectName project, String base, boolean creates) {
    return new PutBuild(CLEO, name, project, spec(base), creates, null, false);
  }

  private ImageBuild create(String name) throws Exception {
    return ask(Builds.PUT, put(name, VISION, "scratch", true)).build();
  }

  private ImageBuild get(String name) throws Exception {
    return ask(Builds.GET, new Builds.GetBuild(name));
  }

  private void report(
      ImageBuild build,
      BuildStatus status,
      @Nullable String reason,
      @Nullable String digest,
      @Nullable Long bytes)
      throws Exception {
    ask(
        Builds.REPORT,
        new ReportBuild(build.name(), build.number(), status, reason, digest, bytes));
  }

  private List<String> unfinished() throws Exception {
    return ask(Builds.UNFINISHED, new Builds.AskUnfinished()).items().stream()
        .map(ImageBuild::name)
        .toList();
  }

  private List<String> listed(Builds.ListBuilds question) throws Exception {
    return ask(Builds.LIST, question).items().stream().map(ImageBuild::name).toList();
  }

  @Test
  void aBuildOutlivesTheStudioInEachOfItsStates() throws Exception {
    ImageBuild queued = create("tool");
    assertThat(queued.status()).isEqualTo(BuildStatus.QUEUED);
    assertThat(get("tool")).isEqualTo(queued);

    report(queued, BuildStatus.RUNNING, null, null, null);
    report(queued, BuildStatus.PUSHING, "it is sent", null, null);
    report(queued, BuildStatus.SUCCEEDED, null, "sha256:one", 5_000_000_000L);
    ImageBuild over = get("tool");
    assertThat(over.status()).isEqualTo(BuildStatus.SUCCEEDED);
    assertThat(over.digest()).isEqualTo("sha256:one");
    assertThat(over.bytes()).isEqualTo(5_000_000_000L);
    assertThat(over.startedAt()).isNotNull();
    assertThat(over.endedAt()).isAfterOrEqualTo(over.startedAt());
    assertThat(over.revision()).isEqualTo(4);

    success(vertx.undeploy(deployment));
    deploy();

    assertThat(get("tool")).isEqualTo(over);
    assertThat(over.spec()).isEqualTo(spec("scratch"));
  }

  @Test
  void aFurtherStartKeepsTheLastImageUntilThereIsAnother() throws Exception {
    ImageBuild first = create("tool");
    report(first, BuildStatus.SUCCEEDED, null, "sha256:one", 7L);

    ImageBuild second = ask(Builds.START, new Builds.StartBuild(ROOT, "tool"));
    assertThat(get("tool")).isEqualTo(second);
    assertThat(second.number()).isEqualTo(2);
    assertThat(second.startedBy()).isEqualTo("root");
    assertThat(second.owner()).isEqualTo("cleo");
    assertThat(second.endedAt()).isNull();
    report(first, BuildStatus.FAILED, "late", null, null);
    assertThat(get("tool")).isEqualTo(second);

    report(second, BuildStatus.FAILED, "exit code 1", null, null);
    assertThat(get("tool"))
        .satisfies(failed -> {
          assertThat(failed.status()).isEqualTo(BuildStatus.FAILED);
          assertThat(failed.reason()).isEqualTo("exit code 1");
          assertThat(failed.digest()).isEqualTo("sha256:one");
          assertThat(failed.bytes()).isEqualTo(7L);
        });
  }

  @Test
  void unfinishedOnesAreListedInTheOrderOfTheirStarts() throws Exception {
    ImageBuild late = create("a");
    report(late, BuildStatus.FAILED, "exit code 1", null, null);
    create("c");
    create("b");
    ImageBuild again = ask(Builds.START, new Builds.StartBuild(CLEO, "a"));
    assertThat(again.queuedAt()).isAfterOrEqualTo(get("b").queuedAt());
    List<String> expected =
        List.of(get("a"), get("b"), get("c")).stream()
            .sorted(Comparator.comparing(ImageBuild::queuedAt).thenComparing(ImageBuild::name))
            .map(ImageBuild::name)
            .toList();
    assertThat(unfinished()).isEqualTo(expected);

    ask(Builds.CANCEL, new Builds.CancelBuild(CLEO, "b"));
    report(get("c"), BuildStatus.RUNNING, null, null, null);
    assertThat(ask(Builds.CANCEL, new Builds.CancelBuild(CLEO, "c")))
        .satisfies(running -> {
          assertThat(running.status()).isEqualTo(BuildStatus.RUNNING);
          assertThat(running.canceling()).isTrue();
        });
    assertThat(get("b").status()).isEqualTo(BuildStatus.CANCELED);
    assertThat(unfinished()).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void whatIsRefusedChangesNothing() throws Exception {
    missing.set(List.of("there is no buildah"));
    assertThat(refused(Builds.PUT, put("tool", VISION, "scratch", true)).detail())
        .contains("there is no buildah");
    missing.set(List.of());
    assertThat(refused(Builds.PUT, put("Tool!", VISION, "scratch", true)))
        .isInstanceOf(Problem.Refused.class);
    ask(Builds.PUT, new PutBuild(CLEO, "tool", VISION, spec("scratch"), true, null, true));
    assertThat(listed(new Builds.ListBuilds(null, null, null, null))).isEmpty();

    ImageBuild build = create("tool");
    assertThat(refused(Builds.PUT, put("tool", VISION, "scratch", true)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(ask(Builds.PUT, put("tool", VISION, "scratch", false)).outcome())
        .isEqualTo(Outcome.UNCHANGED);
    assertThat(refused(Builds.PUT, put("tool", VISION, "debian", false)).detail())
        .contains("QUEUED");
    assertThat(refused(Builds.DELETE, new Builds.DeleteBuild(CLEO, "tool")))
        .isInstanceOf(Problem.Conflict.class);
    report(build, BuildStatus.FAILED, "exit code 1", null, null);
    assertThat(
            refused(
                Builds.PUT, new PutBuild(CLEO, "tool", VISION, spec("debian"), false, 1L, false)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(get("tool").spec()).isEqualTo(spec("scratch"));

    ask(Builds.DELETE, new Builds.DeleteBuild(CLEO, "tool"));
    assertThat(refused(Builds.GET, new Builds.GetBuild("tool")))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void listsAreOfProjectsAndAProjectTakesItsBuildsAlong() throws Exception {
    create("tool");
    ask(Builds.PUT, put("open", ProjectName.PUBLIC, "scratch", true));
    report(get("tool"), BuildStatus.FAILED, "exit code 1", null, null);

    assertThat(listed(new Builds.ListBuilds(null, null, null, null)))
        .containsExactly("open", "tool");
    assertThat(listed(new Builds.ListBuilds(List.of(VISION), null, null, null)))
        .containsExactly("tool");
    assertThat(listed(new Builds.ListBuilds(List.of(), null, null, null))).isEmpty();
    assertThat(listed(new Builds.ListBuilds(null, null, "oo", BuildStatus.FAILED)))
        .containsExactly("tool");
    assertThat(listed(new Builds.ListBuilds(null, "root", null, null))).isEmpty();

    ask(Projects.DELETE, new Projects.DeleteProject(CLEO, VISION));
    assertThat(listed(new Builds.ListBuilds(null, null, null, null))).containsExactly("open");
  }
}
