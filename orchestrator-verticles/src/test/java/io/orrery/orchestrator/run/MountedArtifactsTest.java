package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.run.StepOutput;
import io.orrery.core.time.VirtualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps artifacts in a directory that an operator has named. */
class MountedArtifactsTest {
  @TempDir Path temp;

  private RunArtifacts artifacts(String directory) {
    return RunArtifacts.of(
        new ArtifactSettings.Directory(temp.resolve(directory)),
        temp.resolve("home"),
        new VirtualClock(Instant.EPOCH));
  }

  @Test
  void artifactsAreKeptThereReadAndDeleted() throws Exception {
    RunArtifacts artifacts = artifacts("mounted");
    artifacts.check();
    StepOutput output = artifacts.put("a", Files.writeString(temp.resolve("a"), "rows"));
    String digest = Objects.requireNonNull(output.digest());

    assertThat(temp.resolve("mounted").resolve(digest.substring(0, 2)).resolve(digest))
        .hasContent("rows");
    assertThat(RunArtifacts.directory(temp.resolve("home"))).doesNotExist();
    artifacts.place(output, temp.resolve("in"));
    assertThat(temp.resolve("in")).hasContent("rows");

    assertThat(artifacts.discard(digest, Instant.now().plusSeconds(60))).isTrue();
    assertThat(artifacts.has(List.of(output))).isFalse();
  }

  @Test
  void aDirectoryThatCannotBeUsedIsSaid() throws Exception {
    Files.writeString(temp.resolve("file"), "no directory");

    assertThatThrownBy(() -> artifacts("file").check()).hasMessageContaining("file");
  }
}
