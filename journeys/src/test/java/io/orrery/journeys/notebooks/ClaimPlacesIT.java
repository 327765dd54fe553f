package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.file.DirectoryTree;
import io.orrery.journeys.ServerUsers.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files of a claim that is full, and of the claim of archives; for the user root alone. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class ClaimPlacesIT extends PodNotebookJourney {
  private static final int MEGABYTE = 1 << 20;

  private final Path archives = Path.of("/archives", owner());
  private boolean archivesMade;
  private boolean mountedOver;

  private static Process mount(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    process.waitFor();
    return process;
  }

  @AfterEach
  void unmount() throws Exception {
    if (mountedOver) {
      assertThat(mount("umount", "--lazy", mounted.toString()).exitValue()).isZero();
    }
    DirectoryTree.delete(archives);
    if (archivesMade) {
      Files.deleteIfExists(archives.getParent());
    }
  }

  @Test
  void anUploadThatAFullClaimHasNoRoomForIsRefusedAndLeavesTheOldContent() throws Exception {
    Files.createDirectories(mounted);
    mountedOver =
        mount("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mounted.toString()).exitValue()
            == 0;
    assumeTrue(mountedOver, "a file system cannot be mounted here");
    running();
    assertThat(send("PUT", "/old", "old").status()).isEqualTo(201);

    Reply refused = send("PUT", "/old", "x".repeat(3 * MEGABYTE));

    assertThat(refused.status()).as(refused.body()).isEqualTo(413);
    assertThat(refused.json().path("detail").asText())
        .isEqualTo(
            "could not write %s/old in notebook ann-1: its claim is full (No space left on device)"
                .formatted(mounted));
    assertThat(mounted.resolve("old")).hasContent("old");
    assertThat(names(mounted)).contains("old").noneMatch(name -> name.startsWith(".orrery-part"));
    assertThat(send("PUT", "/fits", "x".repeat(MEGABYTE / 2)).status()).isEqualTo(201);
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).toList();
    }
  }

  @Test
  void theArchiveHasFilesOfItsOwn() throws Exception {
    archivesMade = !Files.exists(archives.getParent());
    assumeTrue(
        Files.isWritable(archivesMade ? Path.of("/") : archives.getParent()),
        "/archives is not writable");
    Files.createDirectories(archives);
    Files.writeString(archives.resolve("kept"), "long ago");
    running();

    assertThat(send("PUT", "/own", "of the workspace").status()).isEqualTo(201);
    Reply listed = send("GET", "?archive=true", "");
    assertThat(listed.json().path("path").asText()).isEqualTo(archives.toString());
    assertThat(listed.json().path("items").findValuesAsText("name")).containsExactly("kept");
    assertThat(send("GET", "/kept?archive=true", "").body()).isEqualTo("long ago");
    assertThat(send("GET", "/own?archive=true", "").status()).isEqualTo(404);
    assertThat(send("GET", "/kept", "").status()).isEqualTo(404);

    byte[] content = "later".getBytes(StandardCharsets.US_ASCII);
    assertThat(send("PUT", "/deep/new?archive=true", "later").status()).isEqualTo(201);
    assertThat(archives.resolve("deep/new")).hasBinaryContent(content);
    assertThat(mounted.resolve("deep")).doesNotExist();
    assertThat(send("DELETE", "/kept?archive=true", "").status()).isEqualTo(204);
    assertThat(archives.resolve("kept")).doesNotExist();
    assertThat(users.send(bob, "GET", files + at("?archive=true"), "").status()).isEqualTo(404);
  }
}
