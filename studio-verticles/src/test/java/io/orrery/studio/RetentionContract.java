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
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Projects;
import io.orrery.core.bus.contract.Retentions;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.bus.contract.Retentions.Rule;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.problem.Problem;
import io.orrery.studio.retention.RetentionController;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Removes old objects, on every store alike. */
abstract class RetentionContract extends StudioFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  private SetClock clock;

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
    success(bus.serve(Builds.CHECK, asked -> Future.succeededFuture(new BuildChecked(List.of()))));
    success(
        bus.serve(
            PipelineRuns.ENDED,
            asked -> Future.succeededFuture(new PipelineRuns.RunPage(List.of(), null))));
    ask(Projects.PUT, new Projects.PutProject(ROOT, VISION, "Vision", "{}", "{}", true, null));
  }

  private ImageBuild build(String name) throws Exception {
    BuildSpec spec =
        new BuildSpec(
            "hub.example.com/" + name + ":1", "FROM scratch", null, null, Map.of(), Map.of());
    return ask(Builds.PUT, new PutBuild(ROOT, name, VISION, spec, true, null, false)).build();
  }

  private void end(ImageBuild build) throws Exception {
    ask(
        Builds.REPORT,
        new ReportBuild(build.name(), build.number(), BuildStatus.SUCCEEDED, null, null, null));
  }

  private List<String> builds() throws Exception {
    return ask(Builds.LIST, new Builds.ListBuilds(null, null, null, null)).items().stream()
        .map(ImageBuild::name)
        .toList();
  }

  private Rule rule(Kind kind) throws Exception {
    return ask(Retentions.LIST, new Retentions.AskRules()).items().stream()
        .filter(rule -> rule.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  private void run() throws Exception {
    ask(Retentions.RUN, new Retentions.RunNow(ROOT, List.of(Kind.BUILDS)));
    await().atMost(PATIENCE).until(() -> rule(Kind.BUILDS).last() != null);
  }

  @Test
  void withoutARuleOnlyOldEntriesOfTheAuditLogAreRemoved() throws Exception {
    List<Rule> rules = ask(Retentions.LIST, new Retentions.AskRules()).items();

    assertThat(rules).extracting(Rule::kind).containsExactly(Kind.values());
    assertThat(rules)
        .filteredOn(rule -> rule.keepDays() != null)
        .extracting(Rule::kind, Rule::keepDays)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(Kind.AUDIT, 360));
  }

  @Test
  void whatIsOldIsShownFirstAndThenRemovedAndWhatRunsStays() throws Exception {
    end(build("old"));
    build("running");
    clock.set(NOW.plus(Duration.ofDays(9)));
    end(build("new"));
    clock.set(NOW.plus(Duration.ofDays(11)));

    assertThat(
            ask(Retentions.PREVIEW, new Retentions.AskPreview(Kind.BUILDS, 10)).items().stream()
                .map(OldObject::name))
        .containsExactly("old");
    assertThat(ask(Retentions.PREVIEW, new Retentions.AskPreview(null, null)).items()).isEmpty();
    assertThat(builds()).containsExactly("new", "old", "running");

    ask(Retentions.PUT, new Retentions.PutRule(ROOT, Kind.BUILDS, 10));
    run();

    assertThat(builds()).containsExactly("new", "running");
    Rule rule = rule(Kind.BUILDS);
    assertThat(rule.changedBy()).isEqualTo("root");
    assertThat(rule.last())
        .isEqualTo(new Retentions.Pass(NOW.plus(Duration.ofDays(11)), 1, 0, null));
    assertThat(
            ask(
                    Audits.LIST,
                    new Audits.ListEntries(null, "build", "old", null, null, null, null, 10))
                .items())
        .extracting(Audits.Entry::action)
        .contains("delete");
  }

  @Test
  void theAuditLogIsKeptForAMonthAtLeast() throws Exception {
    assertThat(refused(Retentions.PUT, new Retentions.PutRule(ROOT, Kind.AUDIT, 29)))
        .isInstanceOf(Problem.Refused.class);
    assertThat(refused(Retentions.CHECK_PUT, new Retentions.PutRule(ROOT, Kind.AUDIT, 29)))
        .isInstanceOf(Problem.Refused.class);
    assertThat(ask(Retentions.CHECK_PUT, new Retentions.PutRule(ROOT, Kind.AUDIT, 30)).keepDays())
        .isEqualTo(30);
    assertThat(rule(Kind.AUDIT).keepDays()).as("after checks").isEqualTo(360);

    assertThat(ask(Retentions.PUT, new Retentions.PutRule(ROOT, Kind.AUDIT, null)).keepDays())
        .isNull();
  }

  @Test
  void oldEntriesOfTheAuditLogAreCountedAndRemovedTogether() throws Exception {
    clock.set(NOW.plus(Duration.ofDays(400)));

    ask(Retentions.CHECK_RUN, new Retentions.RunNow(ROOT, List.of(Kind.AUDIT)));
    OldObject old =
        ask(Retentions.PREVIEW, new Retentions.AskPreview(Kind.AUDIT, null)).items().getFirst();
    assertThat(rule(Kind.AUDIT).last()).as("after a check").isNull();
    ask(Retentions.RUN, new Retentions.RunNow(ROOT, List.of(Kind.AUDIT)));
    await().atMost(PATIENCE).until(() -> rule(Kind.AUDIT).last() != null);

    assertThat(old.count()).isPositive();
    assertThat(old.since()).isEqualTo(NOW);
    assertThat(String.valueOf(rule(Kind.AUDIT).last())).contains("removed=" + old.count());
  }

  @Test
  void aRuleCountsFromTheNightAfterItsChange() throws Exception {
    end(build("old"));
    clock.set(NOW.plus(Duration.ofDays(20)));
    ask(Retentions.PUT, new Retentions.PutRule(ROOT, Kind.BUILDS, 10));

    String today =
        success(vertx.deployVerticle(new RetentionController(bus, clock, ZoneOffset.UTC)));
    await().atMost(PATIENCE).until(() -> rule(Kind.AUDIT).last() != null);
    assertThat(rule(Kind.BUILDS).last()).isNull();
    success(vertx.undeploy(today));

    clock.set(NOW.plus(Duration.ofDays(21)));
    success(vertx.deployVerticle(new RetentionController(bus, clock, ZoneOffset.UTC)));
    await().atMost(PATIENCE).until(() -> rule(Kind.BUILDS).last() != null);
    assertThat(builds()).isEmpty();
  }
}
