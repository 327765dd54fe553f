package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleWireTest {
  private static final Instant THEN = Instant.parse("2026-11-25T03:00:00Z");
  private static final Actor BY = new Actor("ann", "127.0.0.1");
  private static final PipelineName NAME = new PipelineName("digits");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Schedules.Schedule SCHEDULE =
      new Schedules.Schedule(
          NAME,
          List.of("0 3 * * *", "0 9 * * 6"),
          "Europe/Berlin",
          THEN,
          true,
          2,
          30,
          Schedules.Missed.LATEST,
          true,
          List.of(THEN),
          List.of(
              new PipelineRuns.AlertDelivery(
                  "due-1-late",
                  "LATE",
                  null,
                  PipelineRuns.AlertState.WAITING,
                  0,
                  null,
                  THEN,
                  null,
                  THEN)));
  private static final Schedules.DueRun DUE =
      new Schedules.DueRun(
          "digits-20261125t030000z",
          NAME,
          VISION,
          THEN,
          Schedules.DueStatus.CREATED,
          new RunId("r1"),
          RunStatus.FAILED,
          "why",
          THEN,
          THEN);

  private static final List<Record> ALL =
      List.of(
          SCHEDULE,
          DUE,
          new Schedules.OfSchedule(NAME),
          new Schedules.ChangeSchedule(BY, NAME),
          new Schedules.PutSchedule(BY, NAME, "{\"cron\":\"* * * * *\"}", true),
          new Schedules.PutDone(SCHEDULE, Services.Outcome.CHANGED, List.of("Odd.")),
          new Schedules.AskInstants(NAME, THEN, null, 5),
          new Schedules.Instants(List.of(THEN), true),
          new Schedules.Backfill(BY, NAME, THEN, THEN, false),
          new Schedules.ListSchedules(List.of(VISION), "digits", 10),
          new Schedules.ListSchedules(null, null, 10),
          new Schedules.SchedulePage(List.of(SCHEDULE), "digits"),
          new Schedules.ListDueRuns(
              List.of(VISION), NAME, Schedules.DueStatus.COMED, "7.digits", 10),
          new Schedules.ListDueRuns(null, null, null, null, 10),
          new Schedules.DueRunPage(List.of(DUE), "7.digits"),
          new Schedules.OfDueRun("digits-20261125t030000z"),
          new Schedules.ChangeDueRun(BY, "digits-20261125t030000z"),
          new Schedules.Changed(NAME));

  @Test
  void everyRecordComesOutAsItWentIn() {
    assertThat(ALL)
        .allSatisfy(record -> assertThat(WireCodecTest.throughTheWire(record)).isEqualTo(record));
  }

  @Test
  void everyRecordOfTheContractIsTried() {
    Set<Class<?>> tried =
        ALL.stream().map(Object::getClass).collect(Collectors.toUnmodifiableSet());

    assertThat(Stream.of(Schedules.class.getDeclaredClasses()).filter(Class::isRecord))
        .hasSizeGreaterThan(12)
        .allMatch(tried::contains);
  }
}
