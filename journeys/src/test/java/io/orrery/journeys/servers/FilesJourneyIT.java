package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of the local user by {@code orrery files}, on a server that is killed meanwhile. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FilesJourneyIT {
  @TempDir Path temp;

  private Path home;
  private Path here;
  private ServerProcess server;

  /** The end of a command. */
  private record Ended(int code, String output) {}

  @BeforeEach
  void start() throws Exception {
    home = temp.resolve("home");
    here = Files.createDirectories(temp.resolve("here"));
    server = ServerProcess.start(home);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void aTreeIsSentListedFetchedMovedAndDeleted() throws Exception {
    byte[] large = new byte[9 << 20];
    new Random(3).nextBytes(large);
    Files.createDirectories(here.resolve("tree/below"));
    Files.write(here.resolve("tree/large"), large);
    Files.writeString(here.resolve("tree/below/ä b+c.txt"), "text");
    Files.createSymbolicLink(here.resolve("tree/link"), Path.of("/etc/passwd"));

    assertThat(run("put", "tree", "data/").output()).contains("left out").contains("link");
    Path stored = home.resolve("workspaces").resolve(System.getProperty("user.name"));
    assertThat(stored.resolve("data/tree/large")).hasBinaryContent(large);
    assertThat(run("ls", "data/tree").output())
        .contains("below/")
        .contains("9.0 MiB")
        .doesNotContain("link");
    assertThat(run("get", "data/tree", "back").code()).isZero();
    assertThat(here.resolve("back/large")).hasBinaryContent(large);
    assertThat(here.resolve("back/below/ä b+c.txt")).hasContent("text");

    assertThat(run("mv", "data/tree/large", "large").code()).isZero();
    assertThat(run("get", "large", "-").output()).hasSizeGreaterThan(1000);
    assertThat(run("rm", "data").code()).isNotZero();
    assertThat(run("rm", "-r", "data").code()).isZero();
    assertThat(run("ls").output()).contains("large").doesNotContain("data").contains("used");
    assertThat(run("get", "../../server.json").output()).contains("dots");
  }

  @Test
  void whatWasAcknowledgedIsThereAfterTheServerWasKilled() throws Exception {
    Files.writeString(here.resolve("notes.txt"), "kept");
    assertThat(run("put", "notes.txt").code()).isZero();

    server.kill();
    server = ServerProcess.start(home);

    assertThat(run("get", "notes.txt", "-").output()).isEqualTo("kept");
  }

  private Ended run(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("files"));
    words.addAll(Arrays.asList(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(ServerProcess.command(words.toArray(String[]::new)))
            .directory(here.toFile())
            .redirectErrorStream(true);
    builder.environment().put("ORRERY_HOME", home.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
