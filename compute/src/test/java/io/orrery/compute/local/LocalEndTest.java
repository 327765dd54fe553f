package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.local.LocalFacts.Remains;
import io.orrery.compute.local.LocalFacts.Request;
import io.orrery.compute.local.LocalLife.End;
import io.orrery.compute.local.LocalState.Draining;
import io.orrery.compute.local.LocalState.Reason;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The end of an attempt on this machine, as {@link LocalLife} concludes it. */
class LocalEndTest {
  private static final AttemptRef REF =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("trial")), 1);
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant BEGUN = NOW.minusSeconds(60);
  private static final LocalLife LIFE =
      new LocalLife(REF, Path.of("/home/trial"), Duration.ofSeconds(5));
  private static final Reason RUNAWAY = new Reason("too many processes", true);
  private static final Reason TALKER = new Reason("too much output", false);
  private static final Request NONE = new Request(false, null);
  private static final Request CANCELED = new Request(true, null);
  private static final LocalState DRAINING =
      LocalState.NEW.with(
          new Draining(new Taken(4711, 815, Processes.NO_BOOT, FileTime.from(BEGUN))));

  @Test
  void itsEndIsTheExitCodeThatItsWrapperWrote() {
    assertThat(end(DRAINING, NONE, remains(3, true))).isEqualTo(ended(3, BEGUN, null));
    assertThat(end(DRAINING, NONE, remains(null, true)))
        .isEqualTo(ended(null, NOW, "its wrapper ended and left no exit code"));
    assertThat(end(DRAINING, NONE, remains(null, false)))
        .isEqualTo(
            ended(
                null,
                NOW,
                "its directory /home/trial was removed while it ran, and with it the exit code"));
  }

  @Test
  void oneThatWasEndedForItsExcessHasNotSucceeded() {
    assertThat(end(DRAINING.with(TALKER), NONE, remains(0, true)))
        .isEqualTo(ended(null, BEGUN, "too much output"));
    assertThat(end(DRAINING.with(TALKER), NONE, remains(143, true)).exitCode()).isEqualTo(143);
  }

  @Test
  void itsReasonsStandSideBySide() {
    Remains remains =
        new Remains(
            new WrapperDirectory.State(137, BEGUN.toEpochMilli()),
            true,
            "a process was killed",
            List.of("a line is too long"),
            null);
    assertThat(end(DRAINING, CANCELED, remains).reason())
        .isEqualTo("a process was killed; a line is too long");
    assertThat(end(DRAINING.with(RUNAWAY), NONE, remains).reason())
        .isEqualTo("too many processes; a line is too long");
  }

  private static Ended end(LocalState state, Request request, Remains remains) {
    return LIFE.end(state, request, remains, NOW).actions().stream()
        .filter(End.class::isInstance)
        .map(End.class::cast)
        .findFirst()
        .orElseThrow()
        .ended();
  }

  private static Ended ended(@Nullable Integer code, Instant at, @Nullable String reason) {
    return new Ended(REF, code, at, reason);
  }

  private static Remains remains(@Nullable Integer code, boolean directory) {
    WrapperDirectory.State written =
        code == null ? null : new WrapperDirectory.State(code, BEGUN.toEpochMilli());
    return new Remains(written, directory, null, List.of(), null);
  }
}
