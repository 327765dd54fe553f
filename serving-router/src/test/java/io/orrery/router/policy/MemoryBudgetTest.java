package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.router.policy.MemoryBudget.Connection;
import io.orrery.router.policy.MemoryBudget.Owner;
import io.orrery.router.policy.MemoryBudget.Stream;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.telemetry.Meters;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final int KB = 1024;
  private static final ClientLimits LIMITS =
      new ClientLimits(1024 * KB, 512 * KB, 256 * KB, 4, 2, Duration.ofSeconds(60), null);

  private final MemoryBudget budget = new MemoryBudget(LIMITS, 1, 0, new Meters(), 0);

  /** Counts what it is told. */
  private static final class Sender implements Owner {
    private int resumed;
    private int cut;

    @Override
    public void resume() {
      resumed++;
    }

    @Override
    public void cut() {
      cut++;
    }
  }

  private void tick(long millis) {
    budget.tick(Duration.ofMillis(millis).toNanos());
  }

  private Connection open(String client) {
    Connection connection = budget.open(client);
    assertThat(connection).isNotNull();
    return connection;
  }

  @Test
  void aStreamIsPausedAt64KB() {
    Stream stream = open("a").stream(new Sender());

    stream.hold(64 * KB - 1);
    assertThat(stream.mayRead()).isTrue();
    stream.hold(1);
    assertThat(stream.mayRead()).isFalse();
    stream.taken(2);
    assertThat(stream.mayRead()).isTrue();
  }

  @Test
  void aFullConnectionPausesItsOtherStreamsUntilThereIsRoom() {
    Connection connection = open("a");
    Stream holding = connection.stream(new Sender());
    Sender sender = new Sender();
    Stream other = connection.stream(sender);
    holding.hold(256 * KB);

    assertThat(other.mayRead()).isFalse();
    assertThat(open("a").stream(new Sender()).mayRead()).as("another connection").isTrue();
    tick(50);
    assertThat(sender.resumed).isZero();

    holding.taken(1);
    assertThat(other.mayRead()).isTrue();
    tick(100);
    assertThat(sender.resumed).isEqualTo(1);
  }

  @Test
  void aClientThatHoldsItsPartLeavesTheRestToOthers() {
    Connection first = open("a");
    first.stream(new Sender()).hold(256 * KB);
    Connection second = open("a");
    second.stream(new Sender()).hold(256 * KB);

    assertThat(second.full()).isTrue();
    assertThat(budget.full()).isFalse();
    assertThat(open("b").full()).isFalse();
  }

  @Test
  void whenAllIsHeldNothingNewIsTakenUp() {
    open("a").stream(new Sender()).hold(512 * KB);
    assertThat(budget.full()).isFalse();
    open("b").stream(new Sender()).keep(512 * KB);
    assertThat(budget.full()).isTrue();
  }

  @Test
  void aClientThatTakesTooLittleIsCutAndOneThatTakesEnoughIsNot() {
    Sender slow = new Sender();
    Stream trickling = open("a").stream(slow);
    trickling.hold(128 * KB);
    Sender well = new Sender();
    Stream steady = open("b").stream(well);
    steady.hold(128 * KB);

    for (int second = 1; second <= 59; second++) {
      tick(second * 1_000L);
      trickling.taken(1);
      steady.taken(2 * KB);
      steady.hold(2 * KB);
    }
    tick(60_500);

    assertThat(slow.cut).isEqualTo(1);
    assertThat(well.cut).isZero();
  }

  @Test
  void aClientThatHasTakenEverythingIsWaitedForWithoutEnd() {
    Sender sender = new Sender();
    Stream stream = open("a").stream(sender);
    stream.hold(10);
    stream.taken(10);

    tick(3_600_000);

    assertThat(sender.cut).isZero();
  }

  @Test
  void withLittleMemoryLeftSlowClientsHaveFiveSeconds() {
    Sender sender = new Sender();
    open("a").stream(sender).hold(400 * KB);
    open("b").stream(new Sender()).keep(500 * KB);

    tick(4_900);
    assertThat(sender.cut).isZero();
    tick(5_100);
    assertThat(sender.cut).isEqualTo(1);
  }

  @Test
  void withMoreThanAllHeldTheLongestWaitingAreCutUntilItFits() {
    Sender[] senders = {new Sender(), new Sender(), new Sender()};
    for (int i = 0; i < 3; i++) {
      Connection connection = open("c" + i);
      Sender told = senders[i];
      Stream stream =
          connection.stream(
              new Owner() {
                @Override
                public void resume() {}

                @Override
                public void cut() {
                  told.cut();
                  connection.close();
                }
              });
      tick(i * 500L);
      stream.hold(400 * KB);
    }
    tick(2_600);

    assertThat(senders[0].cut).isEqualTo(1);
    assertThat(senders[1].cut + senders[2].cut).isZero();
    assertThat(budget.held()).isEqualTo(800 * KB);
  }

  @Test
  void connectionsOverTheirNumberAreNotOpened() {
    Connection first = open("a");
    open("a");
    assertThat(budget.open("a")).as("a client's third").isNull();
    open("b");
    open("c");
    assertThat(budget.open("d")).as("the fifth of all").isNull();

    first.close();
    first.close();
    assertThat(budget.open("d")).isNotNull();
    assertThat(budget.open("e")).isNull();
  }

  @Test
  void whatAConnectionHeldIsGivenBackWithIt() {
    Connection connection = open("a");
    Stream stream = connection.stream(new Sender());
    stream.hold(100);
    stream.keep(50);

    connection.close();
    stream.taken(100);
    stream.keep(-50);

    assertThat(budget.held()).isZero();
  }

  @Test
  void readsShrinkAsMemoryRunsOut() {
    Stream stream = open("a").stream(new Sender());
    assertThat(budget.read()).isEqualTo(Integer.MAX_VALUE);
    stream.keep(300 * KB);
    assertThat(budget.read()).isBetween(1_024, 16 * KB);
    stream.keep(1_000 * KB);
    assertThat(budget.read()).isEqualTo(1_024);
  }
}
