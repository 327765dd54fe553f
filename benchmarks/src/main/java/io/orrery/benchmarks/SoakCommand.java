package io.orrery.benchmarks;

import io.orrery.benchmarks.soak.SoakBenchmark;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The command {@code soak}; it fails when something grew or was lost. */
@Command(
    name = "soak",
    description = "Mixed load for some minutes: whether memory, threads or files grow.")
final class SoakCommand implements Callable<Integer> {
  @ParentCommand private @Nullable Benchmarks benchmarks;

  @Option(names = "--minutes", defaultValue = "30", description = "of load")
  private double minutes;

  @Override
  public Integer call() throws Exception {
    SoakBenchmark soak = new SoakBenchmark(Duration.ofSeconds((long) (minutes * 60)));
    if (benchmarks != null) {
      benchmarks.write(soak.run());
    }
    return soak.passed() ? 0 : 1;
  }
}
