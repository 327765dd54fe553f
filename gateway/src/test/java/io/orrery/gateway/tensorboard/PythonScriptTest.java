package io.orrery.gateway.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonScriptTest {
  @TempDir Path temp;

  private Path script(String text) throws Exception {
    return Files.writeString(temp.resolve("tensorboard"), text);
  }

  @Test
  void theFirstLineNamesThePython() throws Exception {
    assertThat(PythonScript.interpreter(script("#!/opt/venv/bin/python3.12\nimport sys\n")))
        .containsExactly("/opt/venv/bin/python3.12");
    assertThat(PythonScript.interpreter(script("#! /usr/bin/env  python3 \nimport sys\n")))
        .containsExactly("/usr/bin/env", "python3");
  }

  @Test
  void aLongPathThatAShellRunsIsUnderstood() throws Exception {
    String text =
        """
        #!/bin/sh
        '''exec' "/a very/long path/bin/python" "$0" "$@"
        ' '''
        """;
    assertThat(PythonScript.interpreter(script(text)))
        .containsExactly("/a very/long path/bin/python");
  }

  @Test
  void aProgramOfAnotherKindIsRefusedWithItsPath() throws Exception {
    for (String text : new String[] {"", "#!/bin/sh\nexec true\n", "\u007fELF python"}) {
      Path script = script(text);
      assertThatThrownBy(() -> PythonScript.interpreter(script))
          .hasMessageContaining(script + " is no script of Python");
    }
  }
}
