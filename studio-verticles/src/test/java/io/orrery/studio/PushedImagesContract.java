package io.orrery.studio;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orrery.core.bus.contract.Audits;
import io.orrery.core.bus.contract.Builds;
import io.orrery.core.bus.contract.Builds.BuildChecked;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.bus.contract.Builds.PutBuild;
import io.orrery.core.bus.contract.Builds.ReportBuild;
import io.orrery.core.bus.contract.Notebooks;
import io.orrery.core.bus.contract.OldImages;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.bus.contract.Retentions.Pass;
import io.orrery.core.digest.Sha256;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.image.ImageReference;
import io.orrery.core.sql.Statement;
import io.orrery.studio.notebook.NotebookTable;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Removes images of builds that nothing names from a registry, on every store alike. */
abstract class PushedImagesContract extends StudioFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  private static final String REPOSITORY = "hub.example.com/vision/tool";

  /** An insertion of a text into each column that may name an image, by a number. */
  private static final List<String> TEXTS =
      List.of(
          "insert into services values ('s%1$d', 'vision', 'ann', '%2$s', 1, 1, 1, 1)",
          "insert into service_stages (service, stage, generation, revision, replicas, deployed_at,"
              + " want) values ('s%1$d', 'beta', 1, 1, 1, 1, '%2$s')",
          "insert into service_revisions (service, revision, at, author, document)"
              + " values ('s%1$d', 1, 1, 'ann', '%2$s')",
          "insert into notebooks values ('n%1$d', 'vision', 'ann', '%2$s', 1, 1, 1, 'a', 1, 1, 1,"
              + " 1, null, '{}', 1, '{}')",
          "insert into notebooks values ('n%1$d', 'vision', 'ann', '{}', 1, 1, 1, 'a', 1, 1, 1,"
              + " 1, null, '{}', 1, '%2$s')",
          "insert into templates values ('t%1$d', 'vision', 'ann', 0, '%2$s', 1, 1, 1)",
          "insert into pipelines values ('p%1$d', 'vision', 'ann', '%2$s', 1, 1, 1)",
          "insert into pipeline_versions values ('p%1$d', 1, 1, 'ann', '%2$s')",
          "insert into due_runs values ('d%1$d', 'p%1$d', 'vision', %1$d, 'WAITING', 0, '%2$s',"
              + " null, null, null, 1, 1, null)",
          "insert into builds values ('b%1$d', 'vision', 'ann', '{\"target\": \"x\", \"dockerfile\":"
              + " \"%2$s\"}', 1, 'SUCCEEDED', 0, null, null, 1, 'ann', 1, 1, 1, 1, 1)",
          "insert into images values ('i%1$d', 'vision', 'ann', '%2$s', '', 'sha256:x', 'PRESENT',"
              + " null, null, 1, 1, 1, 1)");

  private static final List<String> TABLES =
      Stream.concat(TEXTS.stream().map(sql -> sql.split(" ")[2]), Stream.of("pushed_images"))
          .distinct()
          .toList();

  /** The registry: the digest of each tag, and the images that it has. */
  private final Map<String, String> tags = new TreeMap<>();

  private final Set<String> present = new TreeSet<>();
  private final Map<String, String> running = new HashMap<>();
  private SetClock clock;
  private String holder;
  private String refusal;

  @Override
  void deploy() throws Exception {
    clock = new SetClock(vertx, NOW);
    deployment =
        success(
            vertx.deployVerticle(
                new StudioVerticle(bus, store, clock, new SecureRandom(), directory)));
  }

  @BeforeEach
  void serve() throws Exception {
    success(NotebookTable.MIGRATIONS.apply(store));
    success(bus.serve(Builds.CHECK, asked -> Future.succeededFuture(new BuildChecked(List.of()))));
    success(
        bus.serve(
            Notebooks.LIST,
            asked -> Future.succeededFuture(new Notebooks.NotebookPage(List.of(), null))));
    success(
        bus.serve(
            PipelineRuns.LIST,
            asked -> Future.succeededFuture(new PipelineRuns.RunPage(List.of(), null))));
    success(
        bus.serve(OldImages.NAMED, asked -> Future.succeededFuture(new OldImages.Named(running))));
    success(
        bus.serve(
            OldImages.TAGS,
            asked -> {
              String digest = ImageReference.parse(asked.image()).orElseThrow().digest();
              return Future.succeededFuture(
                  new OldImages.FoundTags(
                      tags.entrySet().stream()
                          .filter(tag -> tag.getValue().equals(digest))
                          .map(Map.Entry::getKey)
                          .toList(),
                      holder,
                      null));
            }));
    success(
        bus.serve(
            OldImages.REMOVE,
            asked -> {
              String digest = ImageReference.parse(asked.image()).orElseThrow().digest();
              if (refusal == null) {
                present.remove(digest);
                tags.values().removeIf(digest::equals);
              }
              return Future.succeededFuture(new OldImages.ImageRemoved(refusal));
            }));
    ask(Projects.PUT, new Projects.PutProject(ROOT, VISION, "Vision", "{}", "{}", true, null));
    ask(Retentions.PUT, new Retentions.PutRule(ROOT, Kind.IMAGES, 10));
  }

  private static String digest(int number) {
    return "sha256:" + Sha256.hex("image " + number);
  }

  private static String image(int number) {
    return REPOSITORY + "@" + digest(number);
  }

  private static BuildSpec spec(String tag) {
    return new BuildSpec(REPOSITORY + ":" + tag, "FROM scratch", null, null, Map.of(), Map.of());
  }

  private void begin(String build, String tag) throws Exception {
    ask(Builds.PUT, new PutBuild(ROOT, build, VISION, spec(tag), true, null, false));
  }

  /** The end of a build, as the orchestrator reports it, and what the registry has then. */
  private void succeed(String build, int number) throws Exception {
    clock.set(clock.now().plusSeconds(1));
    ImageBuild begun = ask(Builds.GET, new Builds.GetBuild(build));
    ask(
        Builds.REPORT,
        new ReportBuild(build, begun.number(), BuildStatus.SUCCEEDED, null, digest(number), 5L));
    tags.put(begun.spec().target().replaceFirst(".*:", ""), digest(number));
    present.add(digest(number));
  }

  private void start(String build) throws Exception {
    ask(Builds.START, new Builds.StartBuild(ROOT, build));
  }

  private void delete(String build) throws Exception {
    ask(Builds.DELETE, new Builds.DeleteBuild(ROOT, build));
  }

  private void pass(int days) {
    clock.set(clock.now().plus(Duration.ofDays(days)));
  }

  private Pass run() throws Exception {
    Instant at = clock.now().plusSeconds(1);
    clock.set(at);
    ask(Retentions.RUN, new Retentions.RunNow(ROOT, List.of(Kind.IMAGES)));
    await().atMost(PATIENCE).until(() -> last() != null && !last().at().isBefore(at));
    return last();
  }

  private Pass last() throws Exception {
    return ask(Retentions.LIST, new Retentions.AskRules()).items().stream()
        .filter(rule -> rule.kind() == Kind.IMAGES)
        .findFirst()
        .orElseThrow()
        .last();
  }

  private Map<String, String> preview() throws Exception {
    return ask(Retentions.PREVIEW, new Retentions.AskPreview(Kind.IMAGES, 10)).items().stream()
        .collect(
            Collectors.toMap(OldObject::name, each -> each.usedBy() == null ? "" : each.usedBy()));
  }

  private List<String> removals(int number) throws Exception {
    return ask(
            Audits.LIST,
            new Audits.ListEntries(null, "images", image(number), null, null, null, null, 10))
        .items()
        .stream()
        .map(entry -> entry.action() + " " + entry.result())
        .toList();
  }

  @Test
  void whatALaterPushHasReplacedGoesAndWhatABuildHasStays() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    start("tool");
    succeed("tool", 2);
    assertThat(run().removed()).as("pushed a moment ago").isZero();
    pass(20);

    assertThat(preview()).isEqualTo(Map.of(image(1), "", image(2), "build tool"));
    Pass pass = run();

    assertThat(present).containsExactly(digest(2));
    assertThat(pass).extracting(Pass::removed, Pass::kept).containsExactly(1L, 1L);
    assertThat(pass.failure()).isNull();
    assertThat(removals(1)).containsExactly("delete done");
    assertThat(preview()).isEqualTo(Map.of(image(2), "build tool"));

    delete("tool");
    assertThat(run().removed()).isEqualTo(1);
    assertThat(present).isEmpty();
  }

  /** Nothing that a stored text names by tag or digest is removed, and all else is. */
  @Test
  void nothingThatIsNamedIsEverRemovedAndAllElseIs() throws Exception {
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      for (String table : TABLES) {
        success(store.write(List.of(Statement.of("delete from " + table))));
      }
      tags.clear();
      present.clear();
      running.clear();
      for (int build = 0; build < 4; build++) {
        begin("tool" + build, "v" + build);
        for (int push = 0; push <= random.nextInt(3); push++) {
          if (push > 0) {
            start("tool" + build);
          }
          succeed("tool" + build, build * 10 + push);
        }
        delete("tool" + build);
      }
      Set<String> all = new TreeSet<>(present);
      Set<String> stay = new TreeSet<>();
      for (int row = 0; row < random.nextInt(5); row++) {
        int build = random.nextInt(5);
        int number = build * 10 + random.nextInt(3);
        boolean byTag = random.nextBoolean();
        String name = byTag ? REPOSITORY + ":v" + build : image(number);
        stay.add(byTag ? tags.getOrDefault("v" + build, "") : digest(number));
        String sql = TEXTS.get(random.nextInt(TEXTS.size()));
        String text = sql.contains("dockerfile") ? "FROM " + name : "{\"image\": \"%s\"}";
        success(store.write(List.of(Statement.of(sql.formatted(row, text.formatted(name))))));
      }
      if (random.nextBoolean()) {
        running.put("vision/tool:v1", "run r1");
        stay.add(tags.get("v1"));
      }
      stay.retainAll(all);
      pass(20);

      Pass pass = run();

      assertThat(present).as("seed %d", seed).isEqualTo(stay);
      assertThat(pass.failure()).as("seed %d", seed).isNull();
      assertThat(pass.removed()).as("seed %d", seed).isEqualTo(all.size() - stay.size());
      assertThat(run().removed()).as("seed %d", seed).isZero();
    }
  }

  @Test
  void aTagThatWasMovedBackByHandKeepsWhatItNames() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    start("tool");
    succeed("tool", 2);
    // A rollback by hand: by what was pushed the tag names the second image.
    tags.put("1", digest(1));
    pass(20);

    assertThat(preview()).containsEntry(image(1), "");
    assertThat(run()).extracting(Pass::removed, Pass::kept).containsExactly(0L, 2L);
    assertThat(present).hasSize(2);
  }

  @Test
  void aTagOfOthersAndAnIndexKeepAnImage() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    delete("tool");
    tags.put("stable", digest(1));
    pass(20);
    assertThat(run()).extracting(Pass::removed, Pass::kept).containsExactly(0L, 1L);

    tags.remove("stable");
    holder = "all";
    assertThat(run()).extracting(Pass::removed, Pass::kept).containsExactly(0L, 1L);

    holder = null;
    assertThat(run().removed()).isEqualTo(1);
  }

  @Test
  void nothingGoesFromARepositoryThatABuildPushesTo() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    delete("tool");
    begin("other", "2");
    pass(20);
    assertThat(run()).extracting(Pass::removed, Pass::kept).containsExactly(0L, 1L);

    succeed("other", 2);
    assertThat(run().removed()).isEqualTo(1);
    assertThat(present).containsExactly(digest(2));
  }

  @Test
  void theReasonOfARegistryThatDeletesNothingIsShownAndNothingIsForgotten() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    delete("tool");
    refusal = "hub.example.com does not let images be deleted (status 405)";
    pass(20);

    assertThat(run().failure())
        .isEqualTo("1 could not be removed, the first is %s: %s".formatted(image(1), refusal));
    assertThat(removals(1)).isEmpty();
    assertThat(preview()).containsOnlyKeys(image(1));
    refusal = null;
    assertThat(run()).extracting(Pass::removed, Pass::failure).containsExactly(1L, null);
  }

  @Test
  void anImageThatWasPushedAgainIsAsOldAsItsLastPush() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    delete("tool");
    pass(20);
    begin("other", "2");
    succeed("other", 1);
    delete("other");

    assertThat(preview()).isEmpty();
    pass(5);
    assertThat(run().removed()).isZero();
    pass(6);
    assertThat(run().removed()).isEqualTo(1);
    assertThat(tags).isEmpty();
  }

  @Test
  void whatAVersionBeforeThisHasPushedIsNotedWhenItsBuildGoesOn() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    success(store.write(List.of(Statement.of("delete from pushed_images"))));
    start("tool");
    succeed("tool", 2);
    pass(20);

    assertThat(run().removed()).isEqualTo(1);
    assertThat(present).containsExactly(digest(2));
  }

  @Test
  void environmentsAndFailedBuildsAreNone() throws Exception {
    begin("tool", "1");
    ImageBuild begun = ask(Builds.GET, new Builds.GetBuild("tool"));
    ask(
        Builds.REPORT,
        new ReportBuild("tool", begun.number(), BuildStatus.FAILED, "exit code 1", null, null));
    delete("tool");
    pass(20);

    assertThat(preview()).isEmpty();
  }

  @Test
  void aProjectTakesWhatIsKnownOfItsImagesAlong() throws Exception {
    begin("tool", "1");
    succeed("tool", 1);
    pass(20);
    ask(Projects.DELETE, new Projects.DeleteProject(ROOT, VISION));

    assertThat(preview()).isEmpty();
    assertThat(present).containsExactly(digest(1));
  }
}
