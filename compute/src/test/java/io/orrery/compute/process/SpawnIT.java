package io.orrery.compute.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.service.Eventually;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpawnIT {
  @TempDir Path directory;

  static Stream<Spawn> ways() {
    return NativeSpawn.isPossible()
        ? Stream.of(new NativeSpawn(), new SetsidSpawn())
        : Stream.of(new SetsidSpawn());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aProgramSeesWhatItWasGivenAndLeadsASession(Spawn spawn) throws Exception {
    Files.writeString(directory.resolve("out"), "before\n");
    ChildProcess child =
        run(
            spawn,
            "pwd; echo \"$NAME\"; echo wrong >&2; read -r x || echo empty;"
                + " read -r s </proc/$$/stat; set -- ${s##*) }; echo $$ $3 $4");

    String pid = Long.toString(child.pid());
    assertThat(Files.readAllLines(directory.resolve("out")))
        .containsExactly(
            "before",
            directory.toRealPath().toString(),
            "v=1 w",
            "empty",
            pid + " " + pid + " " + pid);
    assertThat(Files.readString(directory.resolve("err"))).isEqualTo("wrong\n");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aProgramInheritsNoDescriptorOfTheServer(Spawn spawn) throws Exception {
    try (FileChannel open =
        FileChannel.open(
            directory.resolve("secret"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      run(spawn, "for fd in /proc/$$/fd/*; do readlink $fd; done");

      assertThat(open.isOpen()).isTrue();
      assertThat(Files.readString(directory.resolve("out")))
          .doesNotContain("secret", "socket:", "eventpoll", "pidfd", "eventfd", ".jar");
    }
  }

  /** glibc leaves 32 and 33, which are its own between threads, ignored in what it spawns. */
  @Test
  void aNativeChildBlocksAndIgnoresNoSignal() throws Exception {
    if (NativeSpawn.isPossible()) {
      run(new NativeSpawn(), "exec cat /proc/self/status");

      assertThat(signals("SigBlk")).isZero();
      assertThat(signals("SigIgn") & Integer.MAX_VALUE).isZero();
    }
  }

  private long signals(String field) throws IOException {
    String line =
        Files.readAllLines(directory.resolve("out")).stream()
            .filter(each -> each.startsWith(field + ":"))
            .findFirst()
            .orElseThrow();
    return Long.parseUnsignedLong(line.substring(field.length() + 1).strip(), 16);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void everyEndIsToldOnceAndLeavesNoZombie(Spawn spawn) throws Exception {
    AtomicInteger told = new AtomicInteger();
    ChildProcess[] children = new ChildProcess[200];
    for (int i = 0; i < children.length; i++) {
      children[i] = spawn.start(program("exit 0"), told::incrementAndGet);
    }

    Eventually.until("all ends are told", () -> told.get() == children.length);
    for (ChildProcess child : children) {
      assertThat(child.isAlive()).isFalse();
      Path process = Path.of("/proc/" + child.pid() + "/stat");
      Eventually.until("it is reaped", () -> !isZombie(process));
    }
    assertThat(told).hasValue(children.length);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aChildCanBeKilled(Spawn spawn) throws Exception {
    ChildProcess child = spawn.start(program("exec sleep 300"), () -> {});
    assertThat(child.isAlive()).isTrue();

    child.kill();

    Eventually.until("it is over", () -> !child.isAlive());
    child.kill();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aDirectoryThatIsMissingIsAFailure(Spawn spawn) {
    Path missing = directory.resolve("missing");
    Spawn.Program program =
        new Spawn.Program(
            List.of("/bin/sh", "-c", "true"),
            missing,
            Map.of(),
            directory.resolve("out"),
            directory.resolve("err"));

    assertThatThrownBy(() -> spawn.start(program, () -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(missing.toString());
  }

  private ChildProcess run(Spawn spawn, String script) throws Exception {
    AtomicInteger told = new AtomicInteger();
    ChildProcess child = spawn.start(program(script), told::incrementAndGet);
    Eventually.until("it has ended", () -> told.get() == 1);
    return child;
  }

  private Spawn.Program program(String script) {
    return new Spawn.Program(
        List.of("/bin/sh", "-c", script),
        directory,
        Map.of("NAME", "v=1 w", "PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin")),
        directory.resolve("out"),
        directory.resolve("err"));
  }

  private static boolean isZombie(Path stat) {
    try {
      return Files.readString(stat).contains(") Z ");
    } catch (IOException gone) {
      return false;
    }
  }
}
