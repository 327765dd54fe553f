package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.attempt.LifeTable;
import io.orrery.compute.attempt.LifeTable.Row;
import io.orrery.compute.remote.LivenessProbe.Sight;
import io.orrery.compute.remote.RemoteFacts.Keeper;
import io.orrery.compute.remote.RemoteFacts.Launched;
import io.orrery.compute.remote.RemoteFacts.Refused;
import io.orrery.compute.remote.RemoteFacts.Unanswered;
import io.orrery.compute.remote.RemoteFiles.End;
import io.orrery.compute.remote.RemoteLife.Action;
import io.orrery.compute.remote.RemoteLife.AskKeeper;
import io.orrery.compute.remote.RemoteLife.Await;
import io.orrery.compute.remote.RemoteLife.AwaitOrProbe;
import io.orrery.compute.remote.RemoteLife.CancelKeeper;
import io.orrery.compute.remote.RemoteLife.Clear;
import io.orrery.compute.remote.RemoteLife.Finish;
import io.orrery.compute.remote.RemoteLife.Forget;
import io.orrery.compute.remote.RemoteLife.GiveBack;
import io.orrery.compute.remote.RemoteLife.Next;
import io.orrery.compute.remote.RemoteLife.Over;
import io.orrery.compute.remote.RemoteLife.Seek;
import io.orrery.compute.remote.RemoteLife.SetAside;
import io.orrery.compute.remote.RemoteLife.Start;
import io.orrery.compute.remote.RemoteLife.TellAway;
import io.orrery.compute.remote.RemoteLife.TellBack;
import io.orrery.compute.remote.RemoteLife.TellStarted;
import io.orrery.compute.remote.RemoteLife.TellVacated;
import io.orrery.compute.remote.RemoteLife.Vacate;
import io.orrery.compute.remote.RemoteState.Clearing;
import io.orrery.compute.remote.RemoteState.Following;
import io.orrery.compute.remote.RemoteState.Seeking;
import io.orrery.compute.remote.RemoteState.Starting;
import io.orrery.compute.service.Keepers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link RemoteLife}: what follows from a state and from what is known. */
class RemoteLifeTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant BEGUN = NOW.minusSeconds(60);
  private static final Duration FAREWELL = Duration.ofSeconds(30);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final RemoteLife LIFE = new RemoteLife(FAREWELL, GRACE);
  private static final String NEVER = "canceled before it started";
  private static final String AWAY = "does not answer";
  private static final String TOO_LONG = "it has been away for too long";
  private static final Keeper SILENT = new Keeper(null, null);
  private static final Keeper CAME = new Keeper(BEGUN, null);
  private static final Keeper ENDED =
      new Keeper(BEGUN, new Keepers.State.Ended(3, NOW.minusSeconds(1), true, null));

  private static final RemoteFacts FRESH = new RemoteFacts(SILENT, false, true, false, null);
  private static final RemoteFacts TRIED = new RemoteFacts(SILENT, false, true, true, null);
  private static final RemoteFacts RUNS = new RemoteFacts(CAME, false, true, true, null);
  private static final RemoteFacts TOLD = new RemoteFacts(ENDED, false, true, true, null);
  private static final RemoteFacts TOLD_END =
      new RemoteFacts(new Keeper(null, ENDED.ended()), false, true, true, null);
  private static final RemoteFacts CANCELED = new RemoteFacts(SILENT, true, true, true, null);
  private static final RemoteFacts CANCELED_LATE = new RemoteFacts(CAME, true, true, true, null);
  private static final RemoteFacts GIVEN_UP = new RemoteFacts(CAME, false, true, true, TOO_LONG);

  private static final RemoteState SEEKING = new Seeking();
  private static final RemoteState STARTING = new Starting();
  private static final RemoteState FOLLOWING = new Following(null);
  private static final Clearing CLEARING = new Clearing(null);
  private static final Clearing LOST = new Clearing("it is gone");
  private static final Remains LEFT = new Remains("9", "no space left");

  private static final LifeTable<RemoteState, RemoteFacts, Action, Next> TABLE =
      new LifeTable<>((state, facts) -> LIFE.conclude(state, facts, NOW), Next::new);

  static Stream<Row<RemoteState, RemoteFacts, Action, Next>> table() {
    return Stream.of(starts(), waits(), ends()).flatMap(rows -> rows);
  }

  private static Stream<Row<RemoteState, RemoteFacts, Action, Next>> starts() {
    return Stream.of(
        TABLE.row("it has no place", SEEKING, FRESH, SEEKING, new Seek()),
        TABLE.edge(
            "it has found a place",
            "a machine has a place",
            (state, facts) -> LIFE.placed(true, false, NOW),
            SEEKING,
            FRESH,
            STARTING),
        TABLE.edge(
            "it is canceled before it has a place",
            "canceled",
            (state, facts) -> LIFE.placed(false, false, NOW),
            SEEKING,
            FRESH,
            SEEKING,
            new Over(new End(null, null, NOW, NEVER))),
        TABLE.edge(
            "it is taken back before it has a place",
            "taken back",
            (state, facts) -> LIFE.placed(false, true, NOW),
            SEEKING,
            FRESH,
            SEEKING,
            new Forget()),
        TABLE.row("it has a place", STARTING, FRESH, STARTING, new Start()),
        TABLE.row("another server has started it", STARTING, RUNS, FOLLOWING),
        TABLE.row("another server has started it and it is over", STARTING, TOLD_END, FOLLOWING),
        TABLE.row("it is canceled in its place", STARTING, CANCELED, FOLLOWING),
        TABLE.row(
            "it is only to be ended",
            STARTING,
            new RemoteFacts(SILENT, false, false, true, null),
            FOLLOWING),
        TABLE.edge(
            "it was started",
            "it was started",
            (state, facts) -> LIFE.launched(facts, new Launched(), NOW),
            STARTING,
            TRIED,
            FOLLOWING),
        TABLE.edge(
            "its machine cannot start it",
            "the machine refuses",
            (state, facts) -> LIFE.launched(facts, new Refused("its disk is full", false), NOW),
            STARTING,
            TRIED,
            SEEKING,
            new SetAside("its disk is full"),
            new GiveBack()),
        TABLE.edge(
            "no machine can start it",
            "no machine can start it",
            (state, facts) -> LIFE.launched(facts, new Refused("a name is too long", true), NOW),
            STARTING,
            TRIED,
            SEEKING,
            new GiveBack(),
            new Over(new End(null, 1, NOW, "a name is too long"))),
        TABLE.row(
            "its machine goes away before it could be started",
            (state, facts) -> LIFE.launched(facts, new Unanswered(AWAY), NOW),
            STARTING,
            FRESH,
            SEEKING,
            new GiveBack()),
        TABLE.row(
            "its machine goes away while it is started",
            (state, facts) -> LIFE.launched(facts, new Unanswered(AWAY), NOW),
            STARTING,
            TRIED,
            STARTING,
            new TellAway(AWAY),
            new Await()),
        TABLE.row(
            "its machine has gone away for good while it was started",
            (state, facts) -> LIFE.launched(facts, new Unanswered(AWAY), NOW),
            STARTING,
            GIVEN_UP,
            FOLLOWING));
  }

  private static Stream<Row<RemoteState, RemoteFacts, Action, Next>> waits() {
    return Stream.of(
        TABLE.row("its keeper has not come", FOLLOWING, TRIED, FOLLOWING, new AwaitOrProbe()),
        TABLE.row(
            "its command runs",
            FOLLOWING,
            RUNS,
            FOLLOWING,
            new TellStarted(BEGUN),
            new AwaitOrProbe()),
        TABLE.row(
            "its machine does not answer",
            (state, facts) -> LIFE.seen(state, facts, new Sight.Away(AWAY)),
            FOLLOWING,
            RUNS,
            FOLLOWING,
            new TellAway(AWAY)),
        TABLE.row(
            "its process lives",
            (state, facts) -> LIFE.seen(state, facts, new Sight.Alive()),
            FOLLOWING,
            RUNS,
            FOLLOWING,
            new TellBack()),
        TABLE.edge(
            "its wrapper does not begin",
            "the wrapper does not begin",
            (state, facts) -> LIFE.seen(state, facts, new Sight.Stuck("it is stuck")),
            FOLLOWING,
            TRIED,
            new Clearing("it is stuck"),
            new TellBack()),
        TABLE.row(
            "its wrapper seems not to begin, and its keeper came",
            (state, facts) -> LIFE.seen(state, facts, new Sight.Stuck("it is stuck")),
            FOLLOWING,
            RUNS,
            FOLLOWING,
            new TellBack()),
        TABLE.row(
            "its wrapper is over",
            (state, facts) -> LIFE.seen(state, facts, new Sight.Over()),
            FOLLOWING,
            RUNS,
            FOLLOWING,
            new TellBack(),
            new AskKeeper(null)),
        TABLE.row(
            "its process is gone",
            (state, facts) -> LIFE.seen(state, facts, new Sight.Lost("it is gone")),
            FOLLOWING,
            RUNS,
            FOLLOWING,
            new TellBack(),
            new AskKeeper("it is gone")),
        TABLE.edge(
            "its process is gone and its keeper has told no end",
            "its process is gone",
            (state, facts) -> LIFE.heard(state, false, "it is gone"),
            FOLLOWING,
            RUNS,
            LOST),
        TABLE.edge(
            "its wrapper is over and its keeper has told no end",
            "its wrapper is over",
            (state, facts) -> LIFE.heard(state, false, null),
            FOLLOWING,
            RUNS,
            CLEARING),
        TABLE.row(
            "its process is gone and its keeper has told its end",
            (state, facts) -> LIFE.heard(state, true, "it is gone"),
            FOLLOWING,
            TOLD,
            FOLLOWING),
        TABLE.edge(
            "its keeper has told its end",
            "a keeper told an end",
            FOLLOWING,
            TOLD,
            CLEARING,
            new TellStarted(BEGUN),
            new TellVacated(),
            new Vacate()),
        TABLE.row(
            "its keeper has told an end without a start",
            FOLLOWING,
            TOLD_END,
            CLEARING,
            new Vacate()),
        TABLE.edge(
            "it is canceled before its keeper came",
            "canceled before its start",
            FOLLOWING,
            CANCELED,
            new Clearing(NEVER)),
        TABLE.row(
            "it is canceled",
            FOLLOWING,
            CANCELED_LATE,
            new Following(NOW.plus(FAREWELL)),
            new TellStarted(BEGUN),
            new AwaitOrProbe()),
        TABLE.row(
            "it was canceled a moment ago",
            new Following(NOW.plusSeconds(1)),
            CANCELED_LATE,
            new Following(NOW.plusSeconds(1)),
            new TellStarted(BEGUN),
            new AwaitOrProbe()),
        TABLE.edge(
            "it was canceled long ago",
            "canceled, and its keeper goes on",
            new Following(NOW),
            CANCELED_LATE,
            new Clearing("its keeper did not end, and was killed"),
            new TellStarted(BEGUN)),
        TABLE.edge(
            "its machine has been away for too long",
            "the machine is given up",
            FOLLOWING,
            GIVEN_UP,
            new Clearing(TOO_LONG),
            new TellStarted(BEGUN),
            new CancelKeeper()));
  }

  private static Stream<Row<RemoteState, RemoteFacts, Action, Next>> ends() {
    return Stream.of(
        TABLE.row("its keeper ended", CLEARING, TOLD, CLEARING, new Clear(CLEARING, GRACE)),
        TABLE.row(
            "its wrapper ended and its keeper has told no end",
            CLEARING,
            RUNS,
            CLEARING,
            new Clear(CLEARING, GRACE)),
        TABLE.row(
            "its process was lost and its keeper tells its end now",
            LOST,
            TOLD,
            LOST,
            new Clear(LOST, GRACE)),
        TABLE.row("its process was lost", LOST, RUNS, LOST, new Clear(LOST, Duration.ZERO)),
        TABLE.edge(
            "nothing of it is left",
            "nothing is left",
            (state, facts) -> LIFE.cleared(CLEARING, Remains.NONE),
            CLEARING,
            TOLD,
            CLEARING,
            new Vacate(),
            new Finish("its keeper ended", Remains.NONE)),
        TABLE.edge(
            "its keeper ended and its machine is away",
            "over, and the machine is away",
            (state, facts) -> LIFE.uncleared(CLEARING, facts, AWAY),
            CLEARING,
            TOLD,
            CLEARING,
            new Vacate(),
            new Finish("its keeper ended", Remains.NONE)),
        TABLE.row(
            "its process was lost and its machine is away",
            (state, facts) -> LIFE.uncleared(LOST, facts, AWAY),
            LOST,
            RUNS,
            LOST,
            new TellAway(AWAY),
            new Await()),
        TABLE.row(
            "its process was lost and its machine is given up",
            (state, facts) -> LIFE.uncleared(LOST, facts, AWAY),
            LOST,
            GIVEN_UP,
            LOST,
            new Vacate(),
            new Finish("it is gone", Remains.NONE)),
        TABLE.row(
            "its end is that which its keeper tells",
            (state, facts) -> LIFE.end(state, facts, new Finish("it is gone", LEFT), NOW),
            CLEARING,
            TOLD,
            CLEARING,
            new Over(new End(BEGUN, 3, NOW.minusSeconds(1), null))),
        TABLE.row(
            "its start was not told and its end is",
            (state, facts) -> LIFE.end(state, facts, new Finish("it is gone", LEFT), NOW),
            CLEARING,
            TOLD_END,
            CLEARING,
            new Over(new End(NOW.minusSeconds(1), 3, NOW.minusSeconds(1), null))),
        TABLE.row(
            "it was canceled and never began",
            (state, facts) -> LIFE.end(state, facts, new Finish(NEVER, Remains.NONE), NOW),
            new Clearing(NEVER),
            CANCELED,
            new Clearing(NEVER),
            new Over(new End(null, null, NOW, NEVER))),
        TABLE.row(
            "its wrapper has left an exit code and its keeper has told no end",
            (state, facts) -> LIFE.end(state, facts, new Finish("it is gone", LEFT), NOW),
            LOST,
            RUNS,
            LOST,
            new Over(new End(BEGUN, 9, NOW, LEFT.explain("it is gone")))),
        TABLE.row(
            "it never began and its keeper has told no end",
            (state, facts) -> LIFE.end(state, facts, new Finish("it is gone", LEFT), NOW),
            LOST,
            TRIED,
            LOST,
            new Over(new End(null, null, NOW, LEFT.explain("it is gone")))));
  }

  @ParameterizedTest
  @MethodSource("table")
  void concludes(Row<RemoteState, RemoteFacts, Action, Next> row) {
    row.check();
  }

  @Test
  void thePictureInTheDocumentationIsTheTable() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "architecture.md")))
        .contains(LifeTable.picture(table(), SEEKING, state -> state, RemoteLifeTest::isLast));
  }

  private static boolean isLast(Action action) {
    return action instanceof Over || action instanceof Forget || action instanceof Finish;
  }
}
