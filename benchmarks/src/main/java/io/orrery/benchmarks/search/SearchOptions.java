package io.orrery.benchmarks.search;

import io.orrery.benchmarks.search.curve.CurveMode;
import io.orrery.benchmarks.search.curve.EarlyStop;
import io.orrery.benchmarks.search.curve.MultiFidelity;
import io.orrery.benchmarks.search.curve.UntilGood;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.json.Json;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.host.Catalog;
import io.orrery.tuner.search.Description;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the command. */
public final class SearchOptions {
  @Option(
      names = "--problems",
      required = true,
      paramLabel = "DIR",
      description = "a folder with problems.json, its data, and peers.json if there are peers")
  private Path folder = Path.of(".");

  @Option(
      names = "--tuners",
      split = ",",
      paramLabel = "NAME",
      description =
          "tuners of the catalogue; all that learn when not given. With multifidelity also"
              + " TPE+ASHA, with earlystop assessors")
  private List<String> tuners = List.of();

  @Option(
      names = "--args",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "classArgs of these tuners")
  private String classArgs = "{}";

  @Option(names = "--seeds", defaultValue = "20", description = "seeds 0 to N-1")
  private int seeds = 20;

  @Option(
      names = "--mode",
      defaultValue = "sequential",
      description =
          "sequential, sequential200 (as long as parallel), parallel (8 in flight),"
              + " parallel100 (100 in flight), transfer,"
              + " crash, cost, noise, multifidelity, untilgood or earlystop")
  private String mode = "sequential";

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PROBLEM",
      description = "these problems instead of all")
  private List<String> only = List.of();

  @Option(
      names = "--threads",
      description = "sessions at a time; as many as processors if not given")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "write the recorded figures, with these in place of the earlier ones")
  private @Nullable Path record;

  Path folder() {
    return folder;
  }

  int seeds() {
    return seeds;
  }

  List<String> only() {
    return only;
  }

  int threads() {
    return threads;
  }

  /** Where to write the recorded figures; null to compare with them instead. */
  @Nullable Path record() {
    return record;
  }

  /**
   * The tuners.
   *
   * @throws IllegalArgumentException when one is unknown or does not take the arguments
   */
  List<SearchContender> contenders() {
    Parameters given = Json.MAPPER.convertValue(Json.parse(classArgs), Parameters.class);
    List<String> names =
        tuners.isEmpty()
            ? Catalog.standard().tuners().stream()
                .map(factory -> factory.description())
                .filter(description -> description.types().contains("uniform"))
                .filter(SearchOptions::trainsToTheEnd)
                .map(description -> description.name())
                .toList()
            : tuners;
    return names.stream().map(name -> SearchContender.named(name, given)).toList();
  }

  /** Whether its trials have the parameters of the space and no others, such as a budget. */
  private static boolean trainsToTheEnd(Description description) {
    return AlgorithmSpec.named(description.name())
        .parameterShape(SearchSpace.EMPTY)
        .added()
        .isEmpty();
  }

  List<String> tuners() {
    return tuners;
  }

  /** Whether what is measured is how much Auto gains from earlier searches. */
  public boolean transfers() {
    return mode.equals("transfer");
  }

  /** Whether what is measured is how well tuners do when trials fail. */
  public boolean crashes() {
    return mode.equals("crash");
  }

  /** Whether what is measured is how well tuners spend where trials differ in cost. */
  public boolean costs() {
    return mode.equals("cost");
  }

  /** Whether what is measured is how good incumbents are where results are noisy. */
  public boolean noises() {
    return mode.equals("noise");
  }

  /** The mode on learning curves that is meant; null when it is another one. */
  public @Nullable CurveMode curveMode() {
    return Stream.of(new MultiFidelity(), new UntilGood(), new EarlyStop())
        .filter(candidate -> candidate.name().equals(mode))
        .findFirst()
        .orElse(null);
  }

  /**
   * The rules.
   *
   * @throws IllegalArgumentException when the mode is unknown
   */
  Protocol protocol() {
    return switch (mode) {
      case "sequential" -> Sequential.standard();
      case "sequential200" -> Sequential.asLongAs(Parallel.standard());
      case "parallel" -> Parallel.standard();
      case "parallel100" -> Parallel.crowd();
      default ->
          throw new IllegalArgumentException(
              "the mode must be sequential, sequential200, parallel, parallel100, transfer, crash, cost,"
                  + " noise,"
                  + " multifidelity, untilgood or earlystop, not '"
                  + mode
                  + "'");
    };
  }
}
