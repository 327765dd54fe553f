package io.orrery.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.run.ValueText.Given;
import io.orrery.core.run.ValueText.Written;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Has a shell read commands with values in them. */
class ShellTextTest {
  /** Texts that a shell would take apart, expand or run. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{7*7}}",
        "{{params.x}}",
        "'; echo broken; '",
        "\"; echo broken; \"",
        "$(echo broken)",
        "`echo broken`",
        "${HOME} * ? ~",
        "two\nlines",
        "-n",
        "\\",
        ""
      })
  void aValueReachesTheProgramAsTheTextThatItIs(String value) throws Exception {
    for (List<String> around :
        List.of(
            List.of("printf %s ", ""),
            List.of("printf %s \"a", "z\""),
            List.of("printf %s 'a", "z'"),
            List.of("# it's a remark\nprintf %s ", ""))) {
      ShellText text =
          ShellText.of(
              new ValueText(
                  List.of(
                      new Written(around.getFirst()),
                      new Given(value),
                      new Written(around.getLast()))),
              ref -> "");
      boolean quoted = around.getLast().startsWith("z");

      assertThat(run(text)).as(text.command()).isEqualTo(quoted ? "a" + value + "z" : value);
    }
  }

  private static String run(ShellText text) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", text.command());
    builder.environment().putAll(text.variables());
    Process process = builder.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }
}
