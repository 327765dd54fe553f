package io.orrery.router.policy;

import io.orrery.core.access.OriginPasses;
import io.orrery.router.route.OriginAccess;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The check of the pass of a guarded service: of one that was seen before, as with all requests of
 * a page but the first, and of one that was not.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PassJmh {
  private final OriginAccess access = new OriginAccess("ann.lab", 1, true);
  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final KnownPasses known = new KnownPasses(passes);
  private final Instant now = Instant.now();
  private final String pass = passes.pass("ann.lab", 1, now);

  /** Checks one that was seen. */
  @Benchmark
  public boolean seen() {
    return known.isGood(pass, access, now);
  }

  /** Checks one that was not. */
  @Benchmark
  public boolean fresh() {
    return passes.isPass(pass, access.audience(), access.epoch(), now);
  }
}
