package io.orrery.compute.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that run on one machine at the same time. */
class ScriptIT {
  private static final int ROUNDS = 40;

  @TempDir Path base;
  private Path keeper;

  /** A keeper that needs no server to have the code. */
  @BeforeEach
  void provide() throws IOException {
    keeper = Files.createDirectory(base.resolve("keeper"));
    Path python = Files.createDirectory(keeper.resolve("orrery_keeper"));
    Files.createFile(python.resolve("__init__.py"));
    Files.writeString(python.resolve("server.py"), "def Server(url, token): return None\n");
    Files.writeString(
        python.resolve("code.py"),
        """
        import os
        def fetch(server, digest, target, deadline):
            os.mkdir(target)
            open(os.path.join(target, 'train.py'), 'w').close()
        """);
    Files.createDirectory(base.resolve("code"));
  }

  @Test
  void whoComesWhileTheLastUserOfItsCodeGoesHasTheCode() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      String before = "e" + round;
      String after = "e" + (round + 1);
      if (round == 0) {
        assertThat(code(before).waitFor()).isZero();
      }

      Process goes =
          start(Script.CLEAN.with(Map.of("base", base.toString(), "experiment", before)));
      Process comes = code(after);

      assertThat(goes.waitFor()).isZero();
      assertThat(comes.waitFor()).isZero();
      assertThat(base.resolve("code/d/train.py")).as("round %d", round).exists();
      assertThat(names(base.resolve("code/d"))).containsExactly("train.py");
      assertThat(names(base.resolve("code/d.users"))).containsExactly(after);
      assertThat(names(base.resolve("code"))).containsExactlyInAnyOrder("d", "d.users");
    }
  }

  @Test
  void whatAKilledOneHasLeftOfTheKeeperGoes() throws Exception {
    Process dead = start("exit 0");
    dead.waitFor();
    Path left = Files.createDirectories(base.resolve("keeper-" + dead.pid() + ".new/sub"));
    long alive = ProcessHandle.current().pid();
    Path another = Files.createDirectory(base.resolve("keeper-" + alive + ".new"));
    ByteArrayOutputStream program = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(program)) {
      zip.putNextEntry(new ZipEntry("orrery_keeper/main.py"));
      zip.write("pass".getBytes(StandardCharsets.UTF_8));
    }

    Process brings =
        start(
            Script.KEEPER.with(
                Map.of("base", base.toString(), "python", "python3", "digest", "d"),
                Map.of("@PROGRAM@", Base64.getEncoder().encodeToString(program.toByteArray()))));

    assertThat(brings.waitFor()).isZero();
    assertThat(left.getParent()).doesNotExist();
    assertThat(another).exists();
    assertThat(base.resolve("keeper-d/orrery_keeper/main.py")).hasContent("pass");
    assertThat(names(base))
        .containsExactlyInAnyOrder("keeper", "code", "keeper-d", another.getFileName().toString());
  }

  private Process code(String experiment) throws IOException {
    return start(
        Script.CODE.with(
            Map.of(
                "base", base.toString(),
                "python", "python3",
                "keeper", keeper.toString(),
                "url", "http://localhost",
                "token", "t",
                "digest", "d",
                "experiment", experiment)));
  }

  private static Process start(String script) throws IOException {
    Process process =
        new ProcessBuilder("sh").inheritIO().redirectInput(ProcessBuilder.Redirect.PIPE).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    return process;
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
