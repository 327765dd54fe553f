package io.orrery.compute.runtime.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.orrery.core.process.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Keeps the contract with programs that bubblewrap keeps apart from the server. The journey of
 * {@code SandboxIT} runs with every verification, this with {@code -Dorrery.slow=true}.
 */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class SandboxedRuntimeIT extends ProcessRuntimeIT {
  private static final Path BUBBLEWRAP = Path.of("/usr/bin/bwrap");

  @Override
  Sandbox sandbox() {
    assumeThat(Files.isExecutable(BUBBLEWRAP)).as("bubblewrap is installed").isTrue();
    return Sandbox.of(BUBBLEWRAP, List.of(home()), System.getenv(), List.of(), List.of());
  }
}
