package io.orrery.orchestrator.run;

import io.orrery.compute.command.TrialCommand;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of steps that are simulated: what the key {@code outputs} of the training service
 * says, so that steps behind them have their inputs and conditions.
 */
final class SimulatedOutputs {
  private static final String KEY = "outputs";
  private static final String TEXT = "simulated";

  private SimulatedOutputs() {}

  /** Writes them. Blocks. */
  static void write(StepSpec step, Path directory) throws IOException {
    Map<?, ?> texts = step.settings().values().get(KEY) instanceof Map<?, ?> map ? map : Map.of();
    for (OutputSpec output : step.outputs()) {
      Path path = directory.resolve(output.source()).normalize();
      if (path.startsWith(directory)) {
        Path file = output.source().endsWith("/") ? path.resolve(TEXT) : path;
        Files.createDirectories(file.getParent());
        Files.writeString(file, text(texts.get(output.name())));
      }
    }
  }

  private static String text(@Nullable Object given) {
    return given == null ? TEXT : TrialCommand.text(given);
  }
}
