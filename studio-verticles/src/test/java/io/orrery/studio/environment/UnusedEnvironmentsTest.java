package io.orrery.studio.environment;

import static io.orrery.core.sql.Await.failure;
import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.studio.build.BuildHandler;
import io.orrery.studio.retention.OldObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finds environments by their last choice, too. */
class UnusedEnvironmentsTest {
  private static final Instant BEFORE = Instant.parse("2026-03-10T12:00:00Z");
  private static final ProjectName VISION = new ProjectName("vision");
  private static final Actor ROOT = new Actor("root", "10.0.0.1");

  @TempDir Path temp;
  private final List<OldObject> directories = new ArrayList<>();
  private final List<OldObject> removed = new ArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();
  private Vertx vertx;
  private Store store;
  private UnusedEnvironments environments;

  /** The directories of the server that builds. */
  private final class Directories implements OldObjects {
    @Override
    public Future<Found> find(Instant before, @Nullable String cursor, int limit) {
      return Future.succeededFuture(new Found(directories, null, 1));
    }

    @Override
    public Future<?> remove(Actor by, OldObject object, Instant before) {
      removed.add(object);
      return Future.succeededFuture();
    }
  }

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    store = SqliteStore.open(vertx, temp.resolve("studio.db"));
    success(BuildHandler.MIGRATIONS.apply(store));
    Store counted =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("read")) {
                    reads.incrementAndGet();
                  }
                  return method.invoke(store, arguments);
                });
    environments = new UnusedEnvironments(new Directories(), counted);
  }

  @AfterEach
  void close() throws Exception {
    success(store.close());
    success(vertx.close());
  }

  private static String digest(int number) {
    return "sha256:" + Sha256.hex("environment " + number);
  }

  private OldObject directory(int number, Instant since) {
    OldObject object = new OldObject(Kind.ENVIRONMENTS, digest(number), VISION, 1, since, null);
    directories.add(object);
    return object;
  }

  private void choose(int number, Instant at) throws Exception {
    success(new EnvironmentChoices(store).note(VISION, digest(number), at));
  }

  private List<OldObject> find() throws Exception {
    return success(environments.find(BEFORE, null, 100)).items();
  }

  @Test
  void allChoicesAreReadAtOnceHoweverManyEnvironmentsThereAre() throws Exception {
    for (int number = 0; number < 700; number++) {
      directory(number, BEFORE.minus(Duration.ofDays(20)));
      if (number % 2 == 0) {
        choose(number, BEFORE.plus(Duration.ofDays(number % 4 - 1)));
      }
    }

    assertThat(find())
        .hasSize(525)
        .filteredOn(object -> object.since().equals(BEFORE.minus(Duration.ofDays(1))))
        .hasSize(175);
    assertThat(reads).hasValue(1);
    assertThat(success(environments.find(BEFORE, null, 100)).unread()).isEqualTo(1);
  }

  @Test
  void anEnvironmentThatWasChosenLatelyStays() throws Exception {
    OldObject chosen = directory(1, BEFORE.minus(Duration.ofDays(20)));
    choose(1, BEFORE.plus(Duration.ofDays(1)));

    assertThat(find()).isEmpty();
    assertThat(failure(environments.remove(ROOT, chosen, BEFORE)))
        .isInstanceOf(Problem.Conflict.class);
    assertThat(removed).isEmpty();
  }

  @Test
  void halfAnEnvironmentIsRemovedAlthoughItWasChosenLately() throws Exception {
    // A removal that was cut short, after which a document named it and was refused.
    OldObject half = directory(1, BEFORE.plus(Duration.ofDays(9)));
    choose(1, BEFORE.plus(Duration.ofDays(10)));

    assertThat(find()).containsExactly(half);
    success(environments.remove(ROOT, half, BEFORE));

    assertThat(removed).containsExactly(half);
  }
}
