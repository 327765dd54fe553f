package io.orrery.cli;

import io.orrery.cli.print.Prompt;
import io.orrery.cli.print.Terminal;
import io.orrery.cli.route.RouteLauncher;
import io.orrery.cli.server.Interrupts;
import io.orrery.cli.server.ServerLauncher;
import io.orrery.cli.server.ServerProgram;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the program as a user would, in this process, and keeps what it said. */
final class CommandLineRun {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  final Path directory;
  final Map<String, String> environment = new HashMap<>();
  String name = "orrery";
  Interrupts interrupts = new Interrupts(code -> {});
  ServerProgram program = new ServerProgram(List.of("/bin/false"));
  ServerLauncher launcher = options -> 0;
  RouteLauncher router = (file, followed) -> 0;
  InstantSource clock = InstantSource.fixed(NOW);
  @Nullable FakeServer asked;
  boolean interactive;
  boolean screen;
  Prompt prompt = Prompt.NONE;

  record Result(int code, String out, String err) {
    /** The last line of stdout. */
    String last() {
      return out.lines().toList().getLast();
    }
  }

  CommandLineRun(Path directory) {
    this.directory = directory;
    environment.put("ORRERY_HOME", directory.resolve("home").toString());
    environment.put("PATH", System.getenv("PATH"));
  }

  CommandLineRun at(FakeServer server) {
    asked = server;
    environment.put("ORRERY_URL", server.url());
    return this;
  }

  Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            environment,
            directory,
            clock,
            interactive,
            prompt,
            screen);
    int before = asked == null ? 0 : asked.requests().size();
    int code = Orrery.run(name, arguments, launcher, router, program, terminal, () -> interrupts);
    if (asked != null) {
      List<String> lines = asked.lines();
      CommandNeeds.DECLARED.check(name, List.of(arguments), lines.subList(before, lines.size()));
    }
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
