package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalDefaultsTest {
  private static final List<String> SENDS_ITSELF =
      List.of("sh", "-c", "kill -$0 $$; echo survived");

  @ParameterizedTest
  @CsvSource({"HUP, 129", "INT, 130", "QUIT, 131", "TERM, 143"})
  void aChildIsEndedByASignalThatItsParentIgnores(String signal, int code) throws Exception {
    List<String> command = new ArrayList<>(SENDS_ITSELF);
    command.add(signal);
    Process process = underAParentThatIgnores(signal, SignalDefaults.with(command));
    assertThat(new String(process.getInputStream().readAllBytes())).isEmpty();
    assertThat(process.waitFor()).isEqualTo(code);
  }

  @Test
  void withoutThemAChildIgnoresWhatItsParentIgnores() throws Exception {
    List<String> command = new ArrayList<>(SENDS_ITSELF);
    command.add("HUP");
    Process process = underAParentThatIgnores("HUP", command);
    assertThat(new String(process.getInputStream().readAllBytes())).isEqualTo("survived\n");
  }

  private static Process underAParentThatIgnores(String signal, List<String> command)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("sh", "-c", "trap '' \"$0\"; exec \"$@\"", signal));
    all.addAll(command);
    return new ProcessBuilder(all).start();
  }
}
