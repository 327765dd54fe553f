package io.orrery.metrics.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.sql.PostgresAddress;
import io.orrery.core.sql.PostgresServer;
import io.orrery.core.sql.PostgresStore;
import io.orrery.core.sql.StoreOwner;
import io.orrery.core.time.Clock;
import io.orrery.core.time.SystemClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The log in a real database, which is stopped and started. */
@ExtendWith(VertxExtension.class)
class PostgresLogIT {
  /** So small that a hundred points fill a segment. */
  private static final LogLimits TINY = new LogLimits(20_000, 32 << 20, 4_000, 4, 1_000, 8);

  /** How long the database is away; {@code -Dorrery.outage.seconds=20} is the slow proof. */
  private static final long OUTAGE_SECONDS = Long.getLong("orrery.outage.seconds", 1);

  private static final StoreOwner OWNER = new StoreOwner("test", "this test");

  private Vertx vertx;

  @BeforeEach
  void use(Vertx injected) {
    vertx = injected;
  }

  /** A log with its store. */
  private record Opened(PostgresStore store, SegmentLog log) {
    static Opened of(Vertx vertx, String url, Clock clock) throws Exception {
      PostgresStore store = PostgresStore.open(vertx, PostgresAddress.parse(url, Map.of()), OWNER);
      return new Opened(
          store,
          SegmentLog.open(
                  vertx, new LogPlace.Tables(store), TINY, points -> {}, LogWatch.NONE, clock)
              .await(20, SECONDS));
    }

    void close() throws Exception {
      log.close().eventually(store::close).await(20, SECONDS);
    }
  }

  @Nested
  class Contract extends MetricLogContract {
    private final String url = PostgresServer.newDatabase();
    private Opened opened;

    @BeforeEach
    void open() throws Exception {
      opened = Opened.of(vertx, url, clock());
    }

    @AfterEach
    void close() throws Exception {
      opened.close();
    }

    @Override
    protected SegmentLog log() {
      return opened.log();
    }

    @Override
    protected void reopen() throws Exception {
      opened.close();
      opened = Opened.of(vertx, url, clock());
    }
  }

  @Test
  @Timeout(120)
  void aDatabaseThatIsRestartedUnderLoadLosesNothingAndIsWrittenAgainByItself(@TempDir Path data)
      throws Exception {
    try (PostgresServer server = PostgresServer.start(data)) {
      Opened opened = Opened.of(vertx, server.database(), new SystemClock(vertx));
      Senders senders = new Senders(vertx, opened.log());
      senders.start();
      senders.awaitMore(2_000);
      server.stop();
      SECONDS.sleep(OUTAGE_SECONDS);
      server.startAgain();
      senders.awaitMore(2_000);
      senders.end();

      assertThat(senders.mostQueued()).isLessThanOrEqualTo(TINY.queuedPoints());
      for (int i = 0; i < Senders.COUNT; i++) {
        List<Long> found =
            opened.log().lastAttempt(Senders.attempt(i).trial()).await(20, SECONDS).stream()
                .map(MetricPoint::ordinal)
                .toList();
        assertThat(found).isEqualTo(LongStream.range(0, senders.acknowledged(i)).boxed().toList());
      }
      opened.close();
    }
  }

  /** The senders of a load: each sends one batch after the other, and repeats a refused one. */
  private static final class Senders {
    static final int COUNT = 8;

    private final Vertx vertx;
    private final SegmentLog log;
    private final List<AtomicLong> acknowledged = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger running = new AtomicInteger(COUNT);
    private final AtomicInteger mostQueued = new AtomicInteger();

    Senders(Vertx vertx, SegmentLog log) {
      this.vertx = vertx;
      this.log = log;
      for (int i = 0; i < COUNT; i++) {
        acknowledged.add(new AtomicLong());
      }
    }

    static AttemptRef attempt(int sender) {
      return new AttemptRef(Points.trial("t" + sender), 1);
    }

    void start() {
      vertx.runOnContext(go -> {
        for (int i = 0; i < COUNT; i++) {
          send(i);
        }
      });
    }

    private void send(int sender) {
      long from = acknowledged.get(sender).get();
      mostQueued.accumulateAndGet(log.queuedPoints(), Math::max);
      Future<?> sent = log.append(Points.series(attempt(sender), from, from + 20));
      sent.onSuccess(
              done -> {
                acknowledged.get(sender).set(from + 20);
                if (over.get()) {
                  running.decrementAndGet();
                } else {
                  send(sender);
                }
              })
          .onFailure(refused -> vertx.setTimer(20, again -> send(sender)));
    }

    long acknowledged(int sender) {
      return acknowledged.get(sender).get();
    }

    int mostQueued() {
      return mostQueued.get();
    }

    private long all() {
      return acknowledged.stream().mapToLong(AtomicLong::get).sum();
    }

    void awaitMore(long points) throws InterruptedException {
      long wanted = all() + points;
      while (all() < wanted) {
        Thread.sleep(10);
      }
    }

    void end() throws InterruptedException {
      over.set(true);
      while (running.get() > 0) {
        Thread.sleep(10);
      }
    }
  }
}
