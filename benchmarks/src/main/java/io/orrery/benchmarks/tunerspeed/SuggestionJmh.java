package io.orrery.benchmarks.tunerspeed;

import io.orrery.tuner.search.Tuner;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A suggestion and its result, under JMH. A call makes fifty of them, the ones that follow upon the
 * history, with a tuner that was made anew for that call: so the history never grows beyond what
 * its size says, and models that are fitted anew only every few results are fitted as often as in
 * use.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseSerialGC")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class SuggestionJmh {
  private static final int SUGGESTIONS = 50;

  @Param({"TPE", "GP", "SMAC", "Auto"})
  public String tuner = "TPE";

  @Param({"100", "500", "1000", "10000"})
  public int observations = 100;

  private Tuner rebuilt = Workload.rebuilt(Workload.tuner(tuner), 0);

  /** Long beside the clock's own cost, so that it may stand before each call. */
  @Setup(Level.Invocation)
  public void rebuild() {
    rebuilt = Workload.rebuilt(Workload.tuner(tuner), observations);
  }

  @Benchmark
  @OperationsPerInvocation(SUGGESTIONS)
  public void suggest() {
    for (int number = observations; number < observations + SUGGESTIONS; number++) {
      Workload.step(rebuilt, number);
    }
  }
}
