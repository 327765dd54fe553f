package io.orrery.benchmarks.micro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.orrery.core.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Runs every micro-benchmark that JMH finds on the class path. */
public final class MicroBenchmarks {
  private MicroBenchmarks() {}

  /**
   * Runs those that are asked for; JMH prints its own table. With {@code -l} it lists them, with
   * {@code -h} its options, and runs none.
   *
   * @param arguments patterns of names, all when there is none, and any option of JMH
   * @return the objects of JMH's JSON report, one for each benchmark and set of parameters
   * @throws IllegalArgumentException when JMH does not understand them, or a benchmark fails
   */
  public static List<Map<String, Object>> run(List<String> arguments) throws IOException {
    try {
      CommandLineOptions options = new CommandLineOptions(arguments.toArray(String[]::new));
      if (options.shouldHelp()) {
        options.showHelp();
        return List.of();
      }
      Runner runner = new Runner(options);
      if (options.shouldList()) {
        runner.list();
        return List.of();
      }
      return report(runner.run());
    } catch (CommandLineOptionException | RunnerException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static List<Map<String, Object>> report(Collection<RunResult> results)
      throws JsonProcessingException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
    return Json.MAPPER.readValue(bytes.toString(StandardCharsets.UTF_8), new TypeReference<>() {});
  }
}
