package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import io.orrery.cli.client.ServerAddress;
import io.orrery.cli.server.UpOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UsageTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "experimnt list, experiment",
    "experiment lst, list",
    "trial metric, metrics",
    "experiment list --jsn, --json",
    "up --prot 1, --port",
    "exp list, experiment"
  })
  void aMistypedWordIsRefusedWithTheNearestOne(String line, String meant) {
    Result result = run(line.split(" "));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("did you mean '" + meant + "'?").contains("--help");
  }

  @Test
  void noVerbAtAllIsRefused() {
    assertThat(run().code()).isEqualTo(2);
    assertThat(run("experiment").code()).isEqualTo(2);
  }

  @Test
  void aVerbThatLacksWhatItWorksOnIsNamedInFull() {
    assertThat(run("list").err())
        .contains("`orrery experiment list`", "`orrery trial list`", "`orrery tuner list`");
    assertThat(run("experiment", "up").err()).contains("there is `orrery up`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "experiment | which verb? There is run, create",
        "experiment run | FILE is missing",
        "up --port | --port needs a value: P",
        "up --port x | --port: 'x' is not a port (0 to 65535)",
        "experiment list --limit many | --limit: 'many' is not a whole number",
        "experiment show a b | 'b' is one word too many",
        "-x | there is no option '-x'"
      })
  void whatIsMissingOrWrongIsSaidInASentence(String line, String sentence) {
    Result result = run(line.split(" "));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("orrery: " + sentence).doesNotContain("mean");
  }

  @Test
  void helpAndVersionAreFoundBySeveralNames() {
    assertThat(run("help").out()).isEqualTo(run("--help").out()).contains("experiment");
    assertThat(run("help", "experiment").out()).contains("Usage: orrery experiment");
    assertThat(run("--version").out()).isEqualTo(run("version").out());
  }

  @Test
  void helpGoesToStdout() {
    Result result = run("experiment", "run", "--help");

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Usage: orrery experiment run").contains("--server");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void theVersionIsThatOfTheBuildAndNeedsNoServer() {
    assertThat(run("version").out()).matches("orrery \\d+\\.\\d+\\.\\d+\\S*\\R");
    assertThat(run("--json", "version").out()).isEqualTo(run("version", "--json").out());
    assertThat(run("version", "--json").out()).matches("\\{\"version\":\"\\d.*\"}\\R");
  }

  @Test
  void withoutAServerItSaysHowToStartOne() {
    Result result = run("--server", "http://127.0.0.1:1", "experiment", "list");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("http://127.0.0.1:1").contains("orrery up");
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    assertThat(run("experiment", "list", "--server", "localhost").code()).isEqualTo(2);
  }

  @Test
  void upHandsItsFlagsToTheServerAndReturnsItsExitCode() {
    AtomicReference<UpOptions> seen = new AtomicReference<>();
    CommandLineRun run = new CommandLineRun(directory);
    run.launcher =
        options -> {
          seen.set(options);
          return 7;
        };

    Result result =
        run.run(
            "up",
            "--port",
            "0",
            "--router-port",
            "off",
            "--home",
            "here",
            "--roles",
            "edge,tuner",
            "--no-resume",
            "--parent-pid",
            "42");

    assertThat(result.code()).isEqualTo(7);
    assertThat(seen.get())
        .isEqualTo(
            new UpOptions(
                null,
                0,
                UpOptions.ROUTER_OFF,
                directory.resolve("here"),
                null,
                List.of("edge", "tuner"),
                false,
                42L));
  }

  @Test
  void routeHandsItsFileToTheRouterAndReturnsItsExitCode() {
    AtomicReference<Path> seen = new AtomicReference<>();
    AtomicReference<ServerAddress> server = new AtomicReference<>();
    CommandLineRun run = new CommandLineRun(directory);
    run.router =
        (file, followed) -> {
          seen.set(file);
          server.set(followed);
          return 2;
        };

    assertThat(run.run("route", "--config", "routes.yml").code()).isEqualTo(2);
    assertThat(seen.get()).isEqualTo(directory.resolve("routes.yml"));
    assertThat(server.get()).isNull();
    run.run("route", "--config", "r.yml", "--follow", "http://10.0.0.1:8080", "--token", "t");
    assertThat(server.get().url()).isEqualTo(URI.create("http://10.0.0.1:8080"));
    assertThat(server.get().token()).isEqualTo("t");
    assertThat(run("route").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"--port,99999", "--port,http", "--router-port,on"})
  void aPortThatIsNoneIsRefused(String flag, String value) {
    assertThat(run("up", flag, value).code()).isEqualTo(2);
  }

  private Result run(String... arguments) {
    return new CommandLineRun(directory).run(arguments);
  }
}
