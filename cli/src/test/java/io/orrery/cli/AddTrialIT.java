package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AddTrialIT {
  private static final String ADD = "POST /api/v1/experiments/abcdefgh/trials";

  @TempDir Path directory;

  private final FakeServer server = new FakeServer();
  private CommandLineRun run;

  @BeforeEach
  void prepare() {
    run = new CommandLineRun(directory).at(server);
    server.on("GET /api/v1/experiments/abcdefgh", 200, "{\"id\":\"abcdefgh\"}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Result add(String arguments) {
    return run.run(("trial add " + arguments).split(" "));
  }

  @Test
  void parametersAreNumbersTextsOrObjectsAsTheyRead() {
    server.on(ADD, 201, "{\"id\":\"fresh\",\"status\":\"WAITING\",\"notices\":[\"Odd.\"]}");

    Result result =
        add("abcdefgh --param lr=0.1 --param act=relu --param n=\"3\" --param c={\"k\":\"a=b\"}");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).isEqualTo("fresh\n");
    assertThat(result.err()).contains("Odd.");
    assertThat(server.requests().getLast().line()).isEqualTo(ADD);
    assertThat(server.requests().getLast().body())
        .isEqualTo("{\"lr\":0.1,\"act\":\"relu\",\"n\":\"3\",\"c\":{\"k\":\"a=b\"}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p.json | {%n \"lr\": 0.1,%n \"with\": 3} | p.json:3: /with: no such | \"with\": 3",
        "p.yml | lr: 0.1%nwith: 3 | p.yml:2: /with: no such | with: 3",
      })
  void whatIsWrongInAFileIsToldWithItsLine(String name, String text, String told, String sent)
      throws IOException {
    Files.writeString(directory.resolve(name), text.formatted());
    String errors = "[{\"pointer\":\"/with\",\"message\":\"no such\"}]";
    server.on(ADD, 400, "{\"title\":\"Refused\",\"status\":400,\"errors\":" + errors + "}");

    Result result = add("abcdefgh --file " + name);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(told);
    assertThat(server.requests().getLast().body()).contains(sent);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abcdefgh | say the parameters",
        "abcdefgh --param lr=1 --file p.json | say the parameters",
        "abcdefgh --param lr | --param is NAME=VALUE, not 'lr'",
        "abcdefgh --param lr=1 --param lr=2 | --param lr is given twice",
        "abcdefgh --file none.json | there is no such file",
      })
  void withoutClearParametersTheServerIsNotAsked(String arguments, String words) {
    Result result = add(arguments);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(words);
    assertThat(server.lines()).isEmpty();
  }
}
