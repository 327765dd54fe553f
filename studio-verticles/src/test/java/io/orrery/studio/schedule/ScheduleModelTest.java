package io.orrery.studio.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.bus.contract.Schedules.Missed;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import io.orrery.studio.schedule.ScheduleModel.Creation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleModelTest {
  private static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");

  private static PipelineSchedule schedule(String json) {
    List<Finding> findings = new ArrayList<>();
    PipelineSchedule read =
        PipelineSchedule.read((ObjectNode) Json.parse(json), "/schedule", findings::add);
    assertThat(findings).isEmpty();
    return Objects.requireNonNull(read);
  }

  private static List<Finding> findings(String json) {
    List<Finding> findings = new ArrayList<>();
    assertThat(PipelineSchedule.read((ObjectNode) Json.parse(json), "/schedule", findings::add))
        .isNull();
    return findings;
  }

  private static ScheduleModel model(String more) {
    return new ScheduleModel(schedule("{\"cron\":\"* * * * *\"" + more + "}"));
  }

  private static Instant at(int minutes) {
    return NOON.plus(Duration.ofMinutes(minutes));
  }

  // ---- the key of the document -----------------------------------------------------------------

  @Test
  void everyFaultOfAScheduleHasItsPlace() {
    assertThat(
            findings(
                """
                {"cron": ["0 3 * * 1-5", "0 25 * * *"], "timeZone": "Europe/Berln", "from": "soon",
                 "dependsOnPast": "perhaps", "maxActiveRuns": 0, "keep": 0, "missed": "some",
                 "cronn": 1}
                """))
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder(
            "/schedule/cron",
            "/schedule/timeZone",
            "/schedule/from",
            "/schedule/dependsOnPast",
            "/schedule/maxActiveRuns",
            "/schedule/keep",
            "/schedule/missed",
            "/schedule/cronn");
    assertThat(findings("{\"timeZone\":\"Europe/Berln\",\"cron\":\"* * * * *\"}").toString())
        .contains("Europe/Berlin");
    assertThat(findings("{}").toString()).contains("0 3 * * 1-5");
  }

  // ---- which instants get a due run ------------------------------------------------------------

  /** The server was away from noon for five minutes and a half. */
  @ParameterizedTest
  @CsvSource({"ALL, '1,2,3,4,5'", "LATEST, '5'", "NONE, '5'"})
  void fiveInstantsThatWereMissed(Missed missed, String expected) {
    Instant now = at(5).plusSeconds(30);
    ScheduleModel model = model(",\"missed\":\"" + missed.name().toLowerCase(Locale.ROOT) + "\"");

    Creation creation = model.create(NOON, now, 0);

    assertThat(creation.instants())
        .isEqualTo(
            List.of(expected.split(",")).stream().map(m -> at(Integer.parseInt(m))).toList());
    assertThat(model.create(creation.position(), now, 0).instants()).isEmpty();
    assertThat(model.next(creation.position(), 0)).contains(at(6));
  }

  /** An instant each hour; the last was missed by half an hour. */
  @ParameterizedTest
  @CsvSource({"all, 5", "latest, 1", "none, 0"})
  void fiveInstantsThatWereAllMissedByFar(String missed, int expected) {
    Instant now = NOON.plus(Duration.ofMinutes(5 * 60 + 30));
    ScheduleModel model =
        new ScheduleModel(schedule("{\"cron\":\"0 * * * *\",\"missed\":\"" + missed + "\"}"));

    Creation creation = model.create(NOON, now, 0);

    assertThat(creation.instants()).hasSize(expected);
    if (expected > 0) {
      assertThat(creation.instants().getLast()).isEqualTo(NOON.plus(Duration.ofHours(5)));
    }
    assertThat(model.create(creation.position(), now, 0).instants()).isEmpty();
    assertThat(model.next(creation.position(), 0)).contains(NOON.plus(Duration.ofHours(6)));
  }

  @Test
  void theLatestOfMillionsOfMissedInstantsIsFoundAtOnce() {
    ScheduleModel model =
        new ScheduleModel(schedule("{\"cron\":\"* 0-30 * * * *\",\"missed\":\"latest\"}"));

    Creation creation =
        model.create(NOON.minus(Duration.ofDays(1000)), NOON.plus(Duration.ofMinutes(45)), 0);

    assertThat(creation.instants()).containsExactly(NOON.plusSeconds(30 * 60 + 59));
  }

  @Test
  void nothingIsDueEarlyAndAClockThatWasPutBackMakesNothingDueTwice() {
    ScheduleModel model = model("");

    assertThat(model.create(NOON, at(1).minusMillis(1), 0).instants()).isEmpty();
    Creation onTime = model.create(NOON, at(1), 0);
    assertThat(onTime.instants()).containsExactly(at(1));
    Creation back = model.create(onTime.position(), at(-60), 0);
    assertThat(back.instants()).isEmpty();
    assertThat(back.position()).isEqualTo(onTime.position());
    assertThat(model.create(back.position(), at(2), 0).instants()).containsExactly(at(2));
  }

  @Test
  void aClockThatWasPutForwardIsAnAbsence() {
    Instant tomorrow = NOON.plus(Duration.ofDays(1));

    assertThat(model(",\"missed\":\"latest\"").create(NOON, tomorrow, 0).instants())
        .containsExactly(tomorrow);
    assertThat(model("").create(NOON, tomorrow, 0).instants())
        .hasSize(ScheduleModel.BATCH)
        .startsWith(at(1));
  }

  @Test
  void furtherInstantsAreLookedAtWhenFewerWait() {
    ScheduleModel model = model("");
    int full = ScheduleModel.MOST_WAITING;

    assertThat(model.create(NOON, at(10), full).instants()).isEmpty();
    assertThat(model.create(NOON, at(10), full).position()).isEqualTo(NOON);
    assertThat(model.next(NOON, full)).isEmpty();
    assertThat(model.create(NOON, at(10), full - 3).instants())
        .containsExactly(at(1), at(2), at(3));
  }

  @Test
  void aScheduleBeginsNowOrAtItsFirstInstantWhichIsDueItself() {
    PipelineSchedule later = schedule("{\"cron\":\"* * * * *\",\"from\":\"2026-11-25T12:07:00Z\"}");

    assertThat(schedule("{\"cron\":\"* * * * *\"}").begins(NOON)).isEqualTo(NOON);
    assertThat(later.begins(at(9))).isEqualTo(at(9));
    assertThat(new ScheduleModel(later).create(later.begins(NOON), at(8), 0).instants())
        .containsExactly(at(7), at(8));
    assertThat(later.timing()).isNotEqualTo(schedule("{\"cron\":\"* * * * *\"}").timing());
    assertThat(schedule("{\"cron\":\"* * * * *\",\"keep\":3}").timing())
        .isEqualTo(schedule("{\"cron\":[\"*  * * * *\"]}").timing());
  }

  // ---- which due runs may start ----------------------------------------------------------------

  private static DueState row(int minutes, DueStatus status, @Nullable RunStatus run) {
    return new DueState(
        "d" + minutes, at(minutes), status, run == null ? null : new RunId("r" + minutes), run, 0);
  }

  private static DueState waits(int minutes) {
    return row(minutes, DueStatus.COMED, null);
  }

  private static DueState ran(int minutes, RunStatus status) {
    return row(minutes, DueStatus.CREATED, status);
  }

  @Test
  void oneThatDependsOnThePastWaitsForTheOneBeforeWithItsReason() {
    ScheduleModel model =
        new ScheduleModel(
            schedule(
                """
                {"cron": "* * * * *", "dependsOnPast": true, "maxActiveRuns": 9,
                 "timeZone": "Europe/Berlin"}
                """));

    assertThat(model.reasons(false, List.of(waits(1), waits(2))))
        .containsOnlyKeys("d2")
        .containsEntry("d2", "waits for the run due 2026-11-25 13:01, which waits as well");
    assertThat(model.reasons(false, List.of(ran(1, RunStatus.FAILED), waits(2))))
        .containsEntry(
            "d2", "waits for the run due 2026-11-25 13:01, FAILED: retry it, or skip it");
    assertThat(model.reasons(false, List.of(ran(1, RunStatus.RUNNING), waits(2))))
        .containsEntry("d2", "waits for the run due 2026-11-25 13:01, which is under way");
    assertThat(model.reasons(false, List.of(row(1, DueStatus.REFUSED, null), waits(2))).get("d2"))
        .contains("was refused");
    assertThat(model.reasons(false, List.of(ran(1, RunStatus.SUCCEEDED), waits(2)))).isEmpty();
    assertThat(
            model.reasons(
                false, List.of(row(1, DueStatus.SKIPPED, RunStatus.FAILED), waits(2), waits(3))))
        .containsOnlyKeys("d3");
  }

  @Test
  void theOldestGoFirstUntilTheMostRunsAreUnderWay() {
    ScheduleModel model = model(",\"maxActiveRuns\":3");

    assertThat(
            model.reasons(
                false,
                List.of(
                    waits(1),
                    ran(2, RunStatus.RUNNING),
                    ran(3, RunStatus.FAILED),
                    waits(4),
                    waits(5))))
        .containsOnlyKeys("d5");
    assertThat(model("").reasons(false, List.of(ran(1, RunStatus.PAUSED), waits(2))).get("d2"))
        .contains("maxActiveRuns: 1");
  }

  @Test
  void nothingStartsWhileTheScheduleIsPaused() {
    assertThat(model("").reasons(true, List.of(waits(1)))).containsKey("d1");
  }

  @Test
  void theIdOfARunIsThatOfItsInstantPipelineAndAttempt() {
    PipelineName digits = new PipelineName("digits");
    RunId first = DueIds.run(digits, NOON, at(1), 0);

    assertThat(DueIds.run(digits, NOON, at(1), 0)).isEqualTo(first);
    assertThat(DueIds.mayBeDue(first)).isTrue();
    assertThat(
            List.of(
                DueIds.run(digits, NOON, at(2), 0),
                DueIds.run(digits, NOON, at(1), 1),
                DueIds.run(digits, at(5), at(1), 0)))
        .doesNotContain(first)
        .doesNotHaveDuplicates();
    assertThat(DueIds.of(digits, NOON)).isEqualTo("digits-20261125t120000z");
    assertThat(IntStream.range(0, 1000).mapToObj(i -> DueIds.run(digits, NOON, at(i), 0)))
        .doesNotHaveDuplicates()
        .allMatch(DueIds::mayBeDue);
  }
}
