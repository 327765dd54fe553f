package io.orrery.orchestrator.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps the files of one start of a build. */
class BuildFilesTest {
  private static final Instant CREATED = Instant.parse("2026-11-01T00:00:00Z");

  @TempDir Path root;

  private static ImageBuild build(Instant created) {
    return new ImageBuild(
        "tool",
        new ProjectName("vision"),
        "ann",
        new BuildSpec("hub.example.com/tool:1", "FROM scratch", null, null, Map.of(), Map.of()),
        1,
        BuildStatus.QUEUED,
        false,
        null,
        null,
        null,
        "ann",
        created,
        created,
        null,
        null,
        1);
  }

  /** The files of a build after its first launch. */
  private BuildFiles launched(ImageBuild build) throws Exception {
    BuildFiles files = BuildFiles.of(root, build);
    files.claim(build);
    Files.createDirectories(files.run(1));
    files.notePrepared();
    return files;
  }

  @Test
  void thoseOfABuildAreStillItsOwnAfterARestartOfTheServer() throws Exception {
    ImageBuild build = build(CREATED);
    BuildFiles files = launched(build);

    files.claim(build);

    assertThat(files.isOf(build)).isTrue();
    assertThat(files.isPrepared()).isTrue();
    assertThat(files.lastRun()).isEqualTo(1);
  }

  @Test
  void thoseOfADeletedBuildAreNotThoseOfANewOneWithItsName() throws Exception {
    BuildFiles files = launched(build(CREATED));
    ImageBuild next = build(CREATED.plusSeconds(1));

    assertThat(files.isOf(next)).isFalse();
    files.claim(next);

    assertThat(files.isOf(next)).isTrue();
    assertThat(files.isPrepared()).isFalse();
    assertThat(files.lastRun()).isZero();
  }

  @Test
  void withoutAMarkTheyAreOfTheBuildThatWasThereWhenTheyWereMade() throws Exception {
    BuildFiles files = BuildFiles.of(root, build(CREATED));
    Files.createDirectories(files.run(1));
    Files.setLastModifiedTime(
        files.directory(), FileTime.from(CREATED.plus(Duration.ofMinutes(1))));

    assertThat(files.isOf(build(CREATED))).isTrue();
    assertThat(files.isOf(build(CREATED.plus(Duration.ofDays(1))))).isFalse();
  }

  @Test
  void thoseOfDeletedBuildsAreRemovedAndNoOthers() throws Exception {
    BuildFiles present = launched(build(CREATED));
    BuildFiles other = BuildFiles.of(root, "digits", "tool", 1);
    BuildFiles deleted = BuildFiles.of(root, "vision", "tool-1", 2);
    BuildFiles ending = BuildFiles.of(root, "vision", "ending", 3);
    for (BuildFiles each : List.of(other, deleted, ending)) {
      Files.createDirectories(each.run(1));
    }
    Path layers = Files.createDirectories(root.resolve("vision/storage"));

    LeftBuildFiles.remove(
        new LeftBuildFiles(root).starts(),
        List.of(build(CREATED)),
        start -> start.name().equals("ending") && start.number() == 3);

    assertThat(present.run(1)).isDirectory();
    assertThat(ending.run(1)).isDirectory();
    assertThat(layers).isDirectory();
    assertThat(other.directory()).doesNotExist();
    assertThat(deleted.directory()).doesNotExist();
    assertThat(new LeftBuildFiles(root.resolve("none")).starts()).isEmpty();
  }
}
