package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.run.StepOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps files and directories by their content. */
class RunArtifactsTest {
  @TempDir Path home;

  @Test
  void aDirectoryComesBackWithAllThatIsInIt() throws Exception {
    Path source = Files.createDirectories(home.resolve("out/deep"));
    Files.writeString(source.resolve("a.txt"), "one");
    Files.writeString(source.resolve(".nniignore"), "*.txt");
    RunArtifacts store = new RunArtifacts(home);

    StepOutput output = store.put("data", home.resolve("out"));
    store.place(output, home.resolve("in/data"));

    assertThat(output.kind()).isEqualTo(StepOutput.Kind.DIRECTORY);
    assertThat(home.resolve("in/data/deep/a.txt")).hasContent("one");
    assertThat(home.resolve("in/data/deep/.nniignore")).exists();
  }

  @Test
  void equalContentsAreStoredOnce() throws Exception {
    Files.writeString(home.resolve("a"), "same");
    Files.writeString(home.resolve("b"), "same");
    RunArtifacts store = new RunArtifacts(home);

    StepOutput one = store.put("a", home.resolve("a"));
    StepOutput other = store.put("b", home.resolve("b"));

    assertThat(one.digest()).isEqualTo(other.digest());
    try (Stream<Path> files = Files.walk(home.resolve("run-artifacts"))) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(1);
    }
    assertThat(store.read(one, 1, 2)).asString().isEqualTo("am");
  }

  @Test
  void aDamagedArtifactIsNotGivenToAStep() throws Exception {
    Files.writeString(home.resolve("a"), "right");
    RunArtifacts store = new RunArtifacts(home);
    StepOutput output = store.put("a", home.resolve("a"));
    Path file;
    try (Stream<Path> files = Files.walk(home.resolve("run-artifacts"))) {
      file = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    Files.writeString(file, "wrong");

    assertThatThrownBy(() -> store.place(output, home.resolve("in")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void aValueIsTheLastLineThatNamesIt() {
    OutputCollector.OutputLines lines = new OutputCollector.OutputLines();

    lines.read("orrery: output rows 1\nnoise\norrery: output ro".getBytes(StandardCharsets.UTF_8));
    lines.read("ws 2 = two\r\norrery: output empty\n".getBytes(StandardCharsets.UTF_8));

    assertThat(lines.end()).containsEntry("rows", "2 = two").containsEntry("empty", "");
  }
}
