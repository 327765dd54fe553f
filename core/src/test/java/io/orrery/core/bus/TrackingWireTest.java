package io.orrery.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.tracking.TrackedPoints;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Carries the records of tracked runs as another process would get them. */
class TrackingWireTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor BY = new Actor("ann", "10.0.0.7");
  private static final ResourceOwner OWNER = new ResourceOwner(VISION, "ann");
  private static final TrackedPoints.Point POINT = new TrackedPoints.Point(1, 2, Double.NaN);
  private static final Tracking.TrackedExperiment EXPERIMENT =
      new Tracking.TrackedExperiment("0", OWNER, "Default", false, Map.of("a", "b"), THEN, THEN);
  private static final Tracking.RunInfo INFO =
      new Tracking.RunInfo(
          "ab", "0", OWNER, "ann", "first", Tracking.RunStatus.FAILED, true, 5, null);
  private static final Tracking.TrackedRun RUN =
      new Tracking.TrackedRun(
          INFO, Map.of("loss", POINT), Set.of("loss"), Map.of("lr", "1"), Map.of());
  private static final Tracking.MetricChunk CHUNK =
      new Tracking.MetricChunk("loss", new byte[] {1, 2}, POINT);

  private static final List<Record> ALL =
      List.of(
          EXPERIMENT,
          new Tracking.CreateExperiment(BY, OWNER, "digits", Map.of()),
          new Tracking.FindExperiment(null, "digits", List.of(VISION)),
          new Tracking.SearchExperiments(
              null, "name = 'x'", List.of("name"), Tracking.View.ALL, 10, 5),
          new Tracking.ExperimentPage(List.of(EXPERIMENT), true),
          new Tracking.ChangeExperiment(BY, "0", null, true, Map.of("a", "b")),
          new Tracking.CreateRun(BY, "0", "ann", "a", "", 7, Map.of()),
          new Tracking.OfRun("ab"),
          new Tracking.RunState("ab", "0", OWNER, false),
          INFO,
          RUN,
          new Tracking.SearchRuns(
              List.of("0"), List.of(VISION), "", List.of(), Tracking.View.ACTIVE_ONLY, 1, 0),
          new Tracking.RunPage(List.of(RUN), false),
          new Tracking.ChangeRun(BY, "ab", Tracking.RunStatus.KILLED, 5L, null, null),
          CHUNK,
          new Tracking.Log("ab", List.of(CHUNK), Map.of("lr", "1"), Map.of(), List.of("x")),
          new Tracking.HistoryOf("ab", "loss", null, 10),
          new Tracking.History(new byte[] {3}, "next"));

  @Test
  void everyRecordComesOutAsItWentIn() {
    assertThat(ALL)
        .allSatisfy(record ->
            assertThat(WireCodecTest.throughTheWire(record))
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class)
                .isEqualTo(record));
  }

  @Test
  void everyRecordOfTheContractIsTried() {
    Set<Class<?>> tried =
        ALL.stream().map(Object::getClass).collect(Collectors.toUnmodifiableSet());

    assertThat(Stream.of(Tracking.class.getDeclaredClasses()).filter(Class::isRecord))
        .hasSizeGreaterThan(15)
        .allMatch(tried::contains);
  }
}
