package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellLineTest {
  private static final String SHELL = "/bin/bash";

  @Test
  void aCommandOfPlainWordsNeedsNoShell() {
    assertThat(words("python3 trial.py")).containsExactly("python3", "trial.py");
    assertThat(words("  ./train.sh \t--lr=0.01  a:b@c,d%e+f "))
        .containsExactly("./train.sh", "--lr=0.01", "a:b@c,d%e+f");
    assertThat(words("/usr/bin/awk -f x.awk data/1.csv")).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "a; b",
        "a && b",
        "a | b",
        "a > b",
        "a $X",
        "a 'b c'",
        "a \"b\"",
        "a b\\ c",
        "a *.py",
        "a ?",
        "a [x]",
        "a {1,2}",
        "a ~/b",
        "~/a",
        "a # b",
        "a &",
        "a `b`",
        "a !b",
        "a\nb",
        "X=1 a",
        "X=1",
        "%1",
        "a\u00a0b",
        "echo a",
        "exit 3",
        ". ./env.sh",
        "source env.sh",
        "cd x",
        "exec a",
        "time a",
        "if",
        "export X=1",
        ":",
      })
  void everythingElseIsTheShells(String command) {
    assertThat(words(command)).containsExactly(SHELL, "-c", command);
  }

  @Test
  void aShellThatTheEnvironmentPreparesIsAsked() {
    assertThat(ShellLine.of(SHELL, "train now", Map.of("BASH_ENV", "/x"))).hasSize(3);
    assertThat(ShellLine.of(SHELL, "train now", Map.of("BASH_FUNC_train%%", "() { :; }")))
        .hasSize(3);
  }

  @Test
  void whateverTheShellsOfThisMachineDoThemselvesIsLeftToThem()
      throws IOException, InterruptedException {
    Process bash = new ProcessBuilder("bash", "-c", "compgen -b; compgen -k").start();
    String own = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    assertThat(own.lines()).contains("echo", "while");
    assertThat(own.lines())
        .allSatisfy(
            word -> assertThat(words(word + " x")).containsExactly(SHELL, "-c", word + " x"));
  }

  private static List<String> words(String command) {
    return ShellLine.of(SHELL, command, Map.of("PATH", "/usr/bin"));
  }
}
