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
import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.People;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.bus.contract.Retentions.Pass;
import io.orrery.core.digest.Sha256;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.studio.notebook.NotebookTable;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Removes environments and fetched code that no stored text names, on every store alike. */
abstract class UnnamedFilesContract extends StudioFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  /** An insertion of a text into each column that may name an environment, by a number. */
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
          "insert into builds values ('b%1$d', 'vision', 'ann', '{}', 1, 'SUCCEEDED', 0, null,"
              + " '%3$s', 1, 'ann', 1, 1, 1, 1, 1)",
          "insert into builds values ('b%1$d', 'vision', 'ann', '%2$s', 1, 'SUCCEEDED', 0, null,"
              + " null, 1, 'ann', 1, 1, 1, 1, 1)");

  private SetClock clock;

  /** The directories of the server that builds: since when each is complete. */
  private final Map<String, OldObject> present = new HashMap<>();

  /** The entries of the audit log when a removal begins, by what is removed. */
  private final Map<String, List<String>> noted = new HashMap<>();

  /** The names of files that cannot be removed. */
  private final Set<String> broken = new TreeSet<>();

  /** The number of directories that the server that builds cannot read. */
  private long unread;

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
            OldFiles.FIND,
            asked ->
                Future.succeededFuture(
                    new OldFiles.Found(
                        present.values().stream()
                            .filter(each -> each.kind() == asked.kind())
                            .filter(each -> each.since().isBefore(asked.before()))
                            .toList(),
                        unread))));
    success(
        bus.serve(
            OldFiles.REMOVE,
            asked ->
                bus.request(Audits.LIST, entries(asked.object()))
                    .map(page -> {
                      remove(asked.object().name(), results(page));
                      return new People.Done();
                    })));
    ask(Projects.PUT, new Projects.PutProject(ROOT, VISION, "Vision", "{}", "{}", true, null));
  }

  private void remove(String name, List<String> results) {
    noted.put(name, results);
    if (broken.contains(name)) {
      throw new Problem.Broken("the disk says no").toException();
    }
    if (present.remove(name) == null) {
      throw new Problem.NotFound("it is gone").toException();
    }
  }

  private static Audits.ListEntries entries(OldObject object) {
    return new Audits.ListEntries(
        null, object.kind().word(), object.name(), null, null, null, null, 10);
  }

  private static List<String> results(Audits.EntryPage page) {
    return page.items().stream().map(entry -> entry.action() + " " + entry.result()).toList();
  }

  private static String digest(int number) {
    return "sha256:" + Sha256.hex("environment " + number);
  }

  private void directory(Kind kind, String name, Instant since) {
    present.put(name, new OldObject(kind, name, VISION, 1, since, null));
  }

  private Pass run(Kind kind) throws Exception {
    Instant at = clock.now().plusSeconds(1);
    clock.set(at);
    ask(Retentions.RUN, new Retentions.RunNow(ROOT, List.of(kind)));
    await().atMost(PATIENCE).until(() -> last(kind) != null && !last(kind).at().isBefore(at));
    return last(kind);
  }

  private Pass last(Kind kind) throws Exception {
    return ask(Retentions.LIST, new Retentions.AskRules()).items().stream()
        .filter(rule -> rule.kind() == kind)
        .findFirst()
        .orElseThrow()
        .last();
  }

  private void rule(Kind kind, int days) throws Exception {
    ask(Retentions.PUT, new Retentions.PutRule(ROOT, kind, days));
  }

  /** An environment that any stored text names stays, and all others go. */
  @Test
  void nothingThatIsNamedIsEverRemovedAndAllElseIs() throws Exception {
    rule(Kind.ENVIRONMENTS, 10);
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      for (String table :
          List.of(
              "services",
              "service_stages",
              "service_revisions",
              "notebooks",
              "templates",
              "pipelines",
              "pipeline_versions",
              "due_runs",
              "builds")) {
        success(store.write(List.of(Statement.of("delete from " + table))));
      }
      present.clear();
      IntStream.range(0, 20)
          .forEach(each -> directory(Kind.ENVIRONMENTS, digest(each), age(random, each)));
      Set<String> stay = new TreeSet<>();
      present.forEach((name, object) -> {
        if (!object.since().isBefore(clock.now().minus(Duration.ofDays(10)))) {
          stay.add(name);
        }
      });
      List<Statement> rows = new ArrayList<>();
      for (int row = 0; row < random.nextInt(12); row++) {
        String named = digest(random.nextInt(24));
        String text =
            "{\"a\": [\"x\", {\"image\": \"env:tool@%s\"}], \"b\": \"%s\"}"
                .formatted(named, "z".repeat(random.nextInt(50)));
        rows.add(Statement.of(TEXTS.get(random.nextInt(TEXTS.size())).formatted(row, text, named)));
        stay.add(named);
      }
      success(store.write(rows));
      stay.retainAll(Set.copyOf(present.keySet()));
      int all = present.size();

      Pass pass = run(Kind.ENVIRONMENTS);

      assertThat(new TreeSet<>(present.keySet())).as("seed %d", seed).isEqualTo(stay);
      assertThat(pass.failure()).as("seed %d", seed).isNull();
      assertThat(pass.removed()).as("seed %d", seed).isEqualTo(all - stay.size());
    }
  }

  private static Instant age(Random random, int number) {
    return NOW.minus(Duration.ofDays(number < 16 ? 20 + random.nextInt(50) : random.nextInt(5)));
  }

  @Test
  void eachColumnThatMayNameAnEnvironmentKeepsItAndIsSaidToDoSo() throws Exception {
    for (int number = 0; number < TEXTS.size(); number++) {
      String text = "{\"image\": \"env:tool@%s\"}".formatted(digest(number));
      directory(Kind.ENVIRONMENTS, digest(number), NOW.minus(Duration.ofDays(20)));
      success(
          store.write(
              List.of(Statement.of(TEXTS.get(number).formatted(number, text, digest(number))))));
    }

    List<OldObject> found =
        ask(Retentions.PREVIEW, new Retentions.AskPreview(Kind.ENVIRONMENTS, 10)).items();

    assertThat(found)
        .extracting(OldObject::usedBy)
        .containsExactlyInAnyOrder(
            "service s0",
            "service s1 beta",
            "service s2 1",
            "notebook n3",
            "notebook n4",
            "template t5",
            "pipeline p6",
            "pipeline p7 1",
            "due run d8",
            "build b9",
            "build b10");
  }

  @Test
  void anEnvironmentThatWasChosenLatelyStaysAlthoughNothingNamesItYet() throws Exception {
    String digest = digest(1);
    directory(Kind.ENVIRONMENTS, digest, NOW);
    ImageBuild build = environment();
    ask(
        Builds.REPORT,
        new ReportBuild(build.name(), build.number(), BuildStatus.SUCCEEDED, null, digest, null));
    rule(Kind.ENVIRONMENTS, 10);
    clock.set(NOW.plus(Duration.ofDays(30)));
    assertThat(
            ask(Builds.FREEZE, new Builds.FreezeEnvironment(VISION, "env:tool", "/image")).image())
        .isEqualTo("env:tool@" + digest);
    ask(Builds.DELETE, new Builds.DeleteBuild(ROOT, "tool"));

    run(Kind.ENVIRONMENTS);
    assertThat(present).containsKey(digest);

    clock.set(NOW.plus(Duration.ofDays(41)));
    run(Kind.ENVIRONMENTS);
    assertThat(present).isEmpty();
    assertThat(
            ask(
                    Audits.LIST,
                    new Audits.ListEntries(
                        null, "environments", digest, null, null, null, null, 10))
                .items())
        .extracting(Audits.Entry::action)
        .containsExactly("delete");
  }

  @Test
  void whatCannotBeReadOrRemovedIsSaidAndDoesNotKeepTheOthers() throws Exception {
    IntStream.range(0, 5)
        .forEach(
            each -> directory(Kind.ENVIRONMENTS, digest(each), NOW.minus(Duration.ofDays(60))));
    broken.addAll(List.of(digest(0), digest(1), digest(2)));
    unread = 2;
    rule(Kind.ENVIRONMENTS, 10);

    Pass pass = run(Kind.ENVIRONMENTS);

    assertThat(present).containsOnlyKeys(broken);
    assertThat(pass).extracting(Pass::removed, Pass::kept).containsExactly(2L, 0L);
    assertThat(noted.values()).hasSize(5).containsOnly(List.of("delete done"));
    assertThat(results(ask(Audits.LIST, entries(present.get(digest(1))))))
        .containsExactlyInAnyOrder("delete broken", "delete done");
    assertThat(pass.failure())
        .matches(
            "3 could not be removed, the first is sha256:[0-9a-f]{64}: the disk says no;"
                + " 2 directories could not be read, the log of the server that builds has them");
  }

  private ImageBuild environment() throws Exception {
    BuildSpec spec =
        new BuildSpec(
            "env:tool",
            null,
            null,
            null,
            null,
            "greeting==1",
            Map.of(),
            Map.of(),
            BuildSpec.Limits.NONE,
            null,
            null);
    return ask(Builds.PUT, new PutBuild(ROOT, "tool", VISION, spec, true, null, false)).build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"code\": \"/mnt/ann/code/%s/lib\"}",
        "{\"command\": \"serve --data=ann/code/%s\"}",
        "{\"command\": \"cd ~/code/%s\"}",
        "{\"command\": \"cd code/%s\"}"
      })
  void fetchedCodeThatADocumentNamesStays(String document) throws Exception {
    String copy = "train-0123456789ab-20260101-000000";
    String named = "ann/code/" + copy;
    String second = named + "-2";
    directory(Kind.CODE, named, NOW.minus(Duration.ofDays(60)));
    directory(Kind.CODE, second, NOW.minus(Duration.ofDays(60)));
    directory(Kind.LAYERS, "vision", NOW.minus(Duration.ofDays(60)));
    success(
        store.write(
            List.of(Statement.of(TEXTS.getFirst().formatted(1, document.formatted(copy), "")))));
    rule(Kind.CODE, 30);
    rule(Kind.LAYERS, 30);

    assertThat(run(Kind.CODE)).extracting(Pass::removed, Pass::kept).containsExactly(1L, 1L);
    assertThat(present).containsOnlyKeys(named, "vision");

    run(Kind.LAYERS);
    assertThat(present).containsOnlyKeys(named);
  }
}
