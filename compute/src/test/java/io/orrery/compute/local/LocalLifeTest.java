package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.attempt.LifeTable;
import io.orrery.compute.attempt.LifeTable.Row;
import io.orrery.compute.local.LocalFacts.Canceled;
import io.orrery.compute.local.LocalFacts.Claimed;
import io.orrery.compute.local.LocalFacts.Remains;
import io.orrery.compute.local.LocalFacts.Removed;
import io.orrery.compute.local.LocalFacts.Request;
import io.orrery.compute.local.LocalFacts.Sight;
import io.orrery.compute.local.LocalFacts.Unclaimed;
import io.orrery.compute.local.LocalFacts.Unsigned;
import io.orrery.compute.local.LocalFacts.WrapperProcess;
import io.orrery.compute.local.LocalLife.Action;
import io.orrery.compute.local.LocalLife.Answer;
import io.orrery.compute.local.LocalLife.CheckUnsigned;
import io.orrery.compute.local.LocalLife.Claim;
import io.orrery.compute.local.LocalLife.End;
import io.orrery.compute.local.LocalLife.FindEventFiles;
import io.orrery.compute.local.LocalLife.Finish;
import io.orrery.compute.local.LocalLife.KillWrapper;
import io.orrery.compute.local.LocalLife.LookAgain;
import io.orrery.compute.local.LocalLife.LookSoon;
import io.orrery.compute.local.LocalLife.Next;
import io.orrery.compute.local.LocalLife.ReadOn;
import io.orrery.compute.local.LocalLife.Search;
import io.orrery.compute.local.LocalLife.TellStarted;
import io.orrery.compute.local.LocalLife.TellVacated;
import io.orrery.compute.local.LocalLife.Terminate;
import io.orrery.compute.local.LocalState.Draining;
import io.orrery.compute.local.LocalState.Reason;
import io.orrery.compute.local.LocalState.Running;
import io.orrery.compute.local.LocalState.Terminating;
import io.orrery.compute.process.LaunchClaims.Free;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.Processes;
import io.orrery.compute.process.WrapperDirectory;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link LocalLife}: what follows from a state and from what is known. */
class LocalLifeTest {
  private static final AttemptRef REF =
      new AttemptRef(new TrialRef(new ExperimentId("exp"), new TrialId("trial")), 1);
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant BEGUN = NOW.minusSeconds(60);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final LocalLife LIFE = new LocalLife(REF, Path.of("/home/trial"), GRACE);
  private static final Free FREE = new Free(1);
  private static final Taken WRAPPER =
      new Taken(4711, 815, Processes.NO_BOOT, FileTime.from(BEGUN));
  private static final Reason RUNAWAY = new Reason("too many processes", true);
  private static final Reason TALKER = new Reason("too much output", false);
  private static final Remains REMAINS =
      new Remains(new WrapperDirectory.State(0, BEGUN.toEpochMilli()), true, null, List.of(), null);
  private static final Request NONE = new Request(false, null);
  private static final Request CANCELED = new Request(true, null);

  private static final LocalState WAITING = LocalState.NEW;
  private static final LocalState UNSEEN = WAITING.with(new Running(WRAPPER, false));
  private static final LocalState RUNNING = WAITING.with(new Running(WRAPPER, true));
  private static final Terminating END = new Terminating(WRAPPER, true);
  private static final LocalState ENDING = WAITING.with(END);
  private static final LocalState DRAINING = WAITING.with(new Draining(WRAPPER));

  private static final LifeTable<LocalState, LocalFacts, Action, Next> TABLE =
      new LifeTable<>((state, facts) -> LIFE.conclude(state, facts, NOW), Next::new);

  static Stream<Row<LocalState, LocalFacts, Action, Next>> table() {
    return Stream.of(
        TABLE.row("its wrapper is on its way", WAITING, facts(new Unclaimed(FREE, true)), WAITING),
        TABLE.row(
            "it is canceled before its wrapper claims it",
            WAITING,
            canceled(new Unclaimed(FREE, true)),
            WAITING,
            new Claim(FREE)),
        TABLE.row(
            "its wrapper has ended without a claim",
            WAITING,
            facts(new Unclaimed(FREE, false)),
            WAITING,
            new Claim(FREE)),
        TABLE.row(
            "no wrapper can claim it any more",
            (state, facts) -> LIFE.claimed(state, facts, true),
            WAITING,
            facts(new Unclaimed(FREE, false)),
            WAITING.with(new Reason("its wrapper could not run; stderr may say why", false)),
            new LookAgain()),
        TABLE.row(
            "a wrapper was quicker with its claim",
            (state, facts) -> LIFE.claimed(state, facts, false),
            WAITING,
            facts(new Unclaimed(FREE, false)),
            WAITING,
            new LookAgain()),
        TABLE.edge(
            "it was canceled before it started",
            "canceled",
            WAITING,
            canceled(new Canceled(false)),
            WAITING,
            new End(ended(null, NOW, "canceled before it started"))),
        TABLE.row(
            "it was given up before it started",
            WAITING,
            new LocalFacts(new Canceled(false), false, new Request(true, "no such command")),
            WAITING,
            new End(ended(null, NOW, "no such command"))),
        TABLE.row(
            "it was canceled, and its wrapper still lives",
            WAITING,
            canceled(new Canceled(true)),
            WAITING,
            new KillWrapper()),
        TABLE.row("a wrapper has just claimed it", WAITING, facts(new Unsigned()), WAITING),
        TABLE.row(
            "a wrapper has claimed it and writes nothing",
            WAITING,
            atTick(new Unsigned()),
            WAITING,
            new CheckUnsigned()),
        TABLE.row(
            "a wrapper that lives has yet to write its process",
            (state, facts) -> LIFE.checked(state, true, NOW),
            WAITING,
            atTick(new Unsigned()),
            WAITING),
        TABLE.edge(
            "a wrapper has claimed it and is gone",
            "the wrapper is gone",
            (state, facts) -> LIFE.checked(state, false, NOW),
            WAITING,
            atTick(new Unsigned()),
            WAITING,
            new End(ended(null, NOW, "its wrapper was killed before it ran the command"))),
        TABLE.row("its directory is gone", WAITING, facts(new Removed()), WAITING),
        TABLE.row(
            "its directory is gone, and a tick has come",
            WAITING,
            atTick(new Removed()),
            WAITING,
            new Search()),
        TABLE.row(
            "its directory is gone, and it is canceled",
            WAITING,
            canceled(new Removed()),
            WAITING,
            new Search()),
        TABLE.edge(
            "its wrapper has claimed it",
            "a wrapper has claimed it",
            WAITING,
            facts(own(WrapperProcess.ALIVE)),
            RUNNING,
            new TellStarted(BEGUN),
            new Answer()),
        TABLE.edge(
            "its command was over before its claim was seen",
            "the command was quick",
            WAITING,
            facts(own(WrapperProcess.GONE)),
            DRAINING,
            new TellStarted(BEGUN),
            new TellVacated(),
            new FindEventFiles(),
            new Finish()),
        TABLE.row(
            "its command runs", RUNNING, facts(own(WrapperProcess.ALIVE)), RUNNING, new Answer()),
        TABLE.row(
            "its command runs, and a tick has come",
            RUNNING,
            atTick(own(WrapperProcess.ALIVE)),
            RUNNING,
            new FindEventFiles(),
            new Answer()),
        TABLE.row(
            "a wrapper of an earlier server is about to end",
            RUNNING,
            facts(new Claimed(WRAPPER, false, WrapperProcess.ABOUT_TO_END, null)),
            RUNNING,
            new Answer(),
            new LookSoon()),
        TABLE.edge(
            "it is canceled",
            "its end is asked for",
            RUNNING,
            canceled(own(WrapperProcess.ALIVE)),
            ENDING,
            new Terminate(END, GRACE)),
        TABLE.edge(
            "it has passed the limit of its output",
            "it has passed a limit",
            RUNNING,
            atTick(new Claimed(WRAPPER, true, WrapperProcess.ALIVE, TALKER)),
            ENDING.with(TALKER),
            new FindEventFiles(),
            new Terminate(END, GRACE)),
        TABLE.row(
            "it has passed a limit of the machine",
            RUNNING,
            atTick(new Claimed(WRAPPER, true, WrapperProcess.ALIVE, RUNAWAY)),
            ENDING.with(RUNAWAY),
            new FindEventFiles(),
            new Terminate(END, Duration.ZERO)),
        TABLE.edge(
            "its command is over and has left processes",
            "the command has left processes",
            RUNNING,
            facts(own(WrapperProcess.LEFT_GROUP)),
            ENDING,
            new Terminate(END, GRACE)),
        TABLE.row(
            "a wrapper that no server of now has seen has left processes",
            UNSEEN,
            facts(new Claimed(WRAPPER, false, WrapperProcess.LEFT_GROUP, null)),
            WAITING.with(new Terminating(WRAPPER, false)),
            new Terminate(new Terminating(WRAPPER, false), GRACE)),
        TABLE.edge(
            "its command is over",
            "the command is over",
            RUNNING,
            facts(own(WrapperProcess.GONE)),
            DRAINING,
            new TellVacated(),
            new FindEventFiles(),
            new Finish()),
        TABLE.row(
            "its command is over, and a tick has come",
            RUNNING,
            atTick(own(WrapperProcess.GONE)),
            DRAINING,
            new TellVacated(),
            new FindEventFiles(),
            new Finish()),
        TABLE.row(
            "processes are still there",
            (state, facts) -> LIFE.terminated(state, false),
            ENDING,
            canceled(own(WrapperProcess.ALIVE)),
            ENDING,
            new ReadOn()),
        TABLE.row(
            "its processes are being ended",
            ENDING,
            canceled(own(WrapperProcess.ALIVE)),
            ENDING,
            new Terminate(END, GRACE)),
        TABLE.edge(
            "none of its processes is left",
            "no process is left",
            (state, facts) -> LIFE.terminated(state, true),
            ENDING,
            canceled(own(WrapperProcess.GONE)),
            DRAINING,
            new TellVacated(),
            new FindEventFiles(),
            new Finish()),
        TABLE.row(
            "its last reports are not durable yet",
            DRAINING,
            facts(own(WrapperProcess.GONE)),
            DRAINING,
            new Finish()),
        TABLE.edge(
            "its last reports are durable",
            "all reports are durable",
            (state, facts) -> LIFE.end(state, facts.request(), REMAINS, NOW),
            DRAINING,
            facts(own(WrapperProcess.GONE)),
            DRAINING,
            new End(ended(0, BEGUN, null))));
  }

  @ParameterizedTest
  @MethodSource("table")
  void concludes(Row<LocalState, LocalFacts, Action, Next> row) {
    row.check();
  }

  @ParameterizedTest
  @MethodSource("table")
  void tellsNothingTwice(Row<LocalState, LocalFacts, Action, Next> row) {
    assertThat(LIFE.conclude(row.to(), row.facts(), NOW).actions())
        .noneMatch(action -> action instanceof TellStarted && row.to().wrapper() != null)
        .noneMatch(action -> action instanceof TellVacated && row.to().stage() instanceof Draining);
  }

  @Test
  void nothingIsSignalledAfterTheMachineWasStartedAgain() {
    Taken before = new Taken(4711, 815, "another start of this machine", FileTime.from(BEGUN));
    Claimed gone = new Claimed(before, false, WrapperProcess.GONE, null);
    assertThat(LIFE.conclude(WAITING, canceled(gone), NOW).actions())
        .noneMatch(Terminate.class::isInstance)
        .contains(new Finish());
  }

  @Test
  void thePictureInTheDocumentationIsTheTable() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "architecture.md")))
        .contains(LifeTable.picture(table(), WAITING, LocalState::stage, End.class::isInstance));
  }

  private static Ended ended(@Nullable Integer code, Instant at, @Nullable String reason) {
    return new Ended(REF, code, at, reason);
  }

  private static Claimed own(WrapperProcess process) {
    return new Claimed(WRAPPER, true, process, null);
  }

  private static LocalFacts facts(Sight sight) {
    return new LocalFacts(sight, false, NONE);
  }

  private static LocalFacts atTick(Sight sight) {
    return new LocalFacts(sight, true, NONE);
  }

  private static LocalFacts canceled(Sight sight) {
    return new LocalFacts(sight, false, CANCELED);
  }
}
