package io.orrery.gateway.auth;

import io.orrery.core.access.Caller;
import io.orrery.core.access.Need;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ProjectRole;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.access.UserRole;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.People;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.VirtualClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The check of a request's permission, for a caller and an experiment that were seen before: the
 * digest of the token, the caller behind it, the owner of the experiment, and the decision. Fails
 * when any of them was asked for a second time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PermissionJmh {
  private static final int PROJECTS = 20;
  private static final ProjectName VISION = new ProjectName("vision");

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
  private final AtomicInteger questions = new AtomicInteger();
  private final Identities identities =
      new Identities(bus, clock, new ServiceTokens(List.of(), clock), true);
  private final Ownerships ownerships = new Ownerships(bus, clock);
  private final ExperimentId experiment = ExperimentId.random(new SplittableRandom(1));
  private final String token = BearerToken.random(new SplittableRandom(2)).text();

  /** Answers the first questions. */
  @Setup
  public void meet() {
    Map<ProjectName, ProjectRole> projects = new HashMap<>();
    projects.put(VISION, ProjectRole.MEMBER);
    for (int i = 1; i < PROJECTS; i++) {
      projects.put(new ProjectName("project-" + i), ProjectRole.VIEWER);
    }
    Caller ann = new Caller("ann", UserRole.USER, Caller.Kind.PERSON, projects, false);
    bus.serve(
            People.IDENTIFY,
            asked -> {
              questions.incrementAndGet();
              return Future.succeededFuture(new People.Identity(ann, null, 0, null));
            })
        .await();
    bus.serve(
            Experiments.OWNERSHIP,
            asked -> {
              questions.incrementAndGet();
              return Future.succeededFuture(new ResourceOwner(VISION, "ann"));
            })
        .await();
    identities.find(new BearerToken(token).sha256()).await();
    ownerships.of(experiment).await();
  }

  @Benchmark
  public boolean permit() {
    Future<Caller> caller = identities.find(new BearerToken(token).sha256());
    return ownerships.require(caller.result(), Need.CHANGE, experiment).succeeded();
  }

  /** Fails when it was not all answered from memory. */
  @TearDown(Level.Trial)
  public void part() {
    vertx.close().await();
    if (questions.get() != 2) {
      throw new IllegalStateException("%d questions, not 2".formatted(questions.get()));
    }
  }
}
