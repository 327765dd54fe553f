package io.orrery.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs programs in a real sandbox, and looks at what they can see and change. */
class SandboxTest {
  private static final Path BUBBLEWRAP = Path.of("/usr/bin/bwrap");

  @TempDir Path temp;
  private Path home;
  private Path own;
  private Path code;

  private record Ended(int code, String output) {}

  @BeforeEach
  void make() throws IOException {
    assumeThat(Files.isExecutable(BUBBLEWRAP)).as("bubblewrap is installed").isTrue();
    home = Files.createDirectories(temp.toRealPath().resolve("a home"));
    own = Files.createDirectories(home.resolve("experiments/mine/1"));
    code = Files.createDirectories(home.resolve("code/mine"));
    Files.createDirectories(home.resolve("experiments/others/1"));
    Files.writeString(home.resolve("experiments/others/1/result"), "theirs");
    Files.writeString(home.resolve("server.json"), "{\"token\": \"sesame\"}");
  }

  private Sandbox sandbox() {
    return Sandbox.of(BUBBLEWRAP, List.of(home), System.getenv(), List.of(), List.of());
  }

  private Sandbox.Mounts mounts() {
    return new Sandbox.Mounts(own, List.of(code), List.of(own));
  }

  private Ended run(String script) throws Exception {
    return run(sandbox().line(mounts(), List.of("/bin/sh", "-c", script)));
  }

  private static Ended run(List<String> line) throws Exception {
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void aProgramReadsNothingOfTheServersHomeButItsOwnAndItsCode() throws Exception {
    Files.writeString(code.resolve("train.py"), "code");
    assertThat(run("cat '" + home + "/server.json'").code()).isNotZero();
    assertThat(run("cat '" + home + "/experiments/others/1/result'").code()).isNotZero();
    assertThat(run("cat '" + code + "/train.py'").output()).isEqualTo("code");
  }

  @Test
  void aProgramWritesItsOwnDirectoryAndNothingElse() throws Exception {
    assertThat(run("pwd; echo done > result").output().strip()).isEqualTo(own.toString());
    assertThat(own.resolve("result")).hasContent("done\n");
    assertThat(run("echo no > '" + code + "/train.py'").code()).isNotZero();
    assertThat(run("echo no > /etc/orrery-was-here").code()).isNotZero();
    Path scratch = Path.of("/tmp/orrery-test-" + UUID.randomUUID());
    assertThat(run("echo mine > %1$s && cat %1$s".formatted(scratch)).output()).isEqualTo("mine\n");
    assertThat(scratch).doesNotExist();
  }

  @Test
  void aProgramSeesNoProcessOfOthersAndNoSocketOfTheMachinesServices() throws Exception {
    long server = ProcessHandle.current().pid();
    Ended seen =
        run(
            "ls /proc | grep -c '^[0-9]'; ls -A /run; ls -A /root; cat /proc/"
                + server
                + "/environ");
    assertThat(seen.output().lines().findFirst().map(Integer::parseInt).orElseThrow())
        .isLessThan(10);
    assertThat(seen.output()).doesNotContain("sock").contains("No such file");
  }

  /** Also where the server is root, as it often is in a container. */
  @Test
  void aProgramHasNoRightsWithWhichItCouldUndoTheSandbox() throws Exception {
    Ended tried =
        run(
            "grep CapEff /proc/self/status; umount -l '%1$s'; umount -l /tmp; mount -o remount,rw,bind /;"
                    .formatted(home)
                + " mknod null c 1 3; unshare -Umr umount -l '%1$s'; echo no > /proc/sys/kernel/domainname;"
                    .formatted(home)
                + " cat '%1$s/server.json'; touch /etc/orrery-was-here; ls /proc/1/root%1$s /proc/1/fd"
                    .formatted(home.toString().replace(" ", "\\ ")));
    assertThat(tried.output())
        // None, or, of a server that is root, CAP_SETFCAP.
        .containsPattern("CapEff:\t00000000[08]0000000\n")
        .doesNotContain("sesame", "server.json\n");
    assertThat(own.resolve("null")).doesNotExist();
    assertThat(Path.of("/etc/orrery-was-here")).doesNotExist();
  }

  @Test
  void aDirectoryThatServersShareIsHiddenAsWell() throws Exception {
    Path shared = Files.createDirectories(temp.toRealPath().resolve("shared"));
    Sandbox sandbox = Sandbox.of(BUBBLEWRAP, List.of(home, shared), Map.of(), List.of(), List.of());
    assertThat(sandbox.shows(shared.resolve("workspaces"))).isFalse();
  }

  @Test
  void whatIsHiddenOrWritableBelowMntStaysSoForAProgramThatSeesItsDirectoryThere()
      throws Exception {
    assumeThat(Files.isWritable(Path.of("/mnt"))).as("the test may write to /mnt").isTrue();
    Path machine = Files.createTempDirectory(Path.of("/mnt"), "orrery-test-");
    try {
      Path server = Files.createDirectories(machine.resolve("home"));
      Files.writeString(server.resolve("secret"), "sesame");
      Path mine = Files.createDirectories(server.resolve("workspaces/ann"));
      Path scratch = Files.createDirectories(machine.resolve("scratch"));
      Files.writeString(machine.resolve("data"), "for all");
      Sandbox sandbox =
          Sandbox.of(BUBBLEWRAP, List.of(server), Map.of(), List.of(), List.of(scratch));
      Sandbox.Mounts mounts =
          new Sandbox.Mounts(
              mine,
              List.of(),
              List.of(),
              new Sandbox.Workspace(mine, Path.of("/mnt/orrery-test-ann")));
      String script =
          "cat %1$s/data; cat %1$s/home/secret; echo > %1$s/scratch/made; echo > made; pwd"
              .formatted(machine);
      Process process =
          new ProcessBuilder(sandbox.line(mounts, List.of("/bin/sh", "-c", script))).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output).isEqualTo("for all/mnt/orrery-test-ann\n");
      assertThat(process.waitFor()).isZero();
      assertThat(scratch.resolve("made")).exists();
      assertThat(mine.resolve("made")).exists();
    } finally {
      try (Stream<Path> all = Files.walk(machine)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
  }

  @Test
  void theExitCodeAndTheEndBySignalAreThoseOfTheProgram() throws Exception {
    assertThat(run("exit 7").code()).isEqualTo(7);
    assertThat(run("kill -KILL $$").code()).isEqualTo(128 + 9);
    assertThat(run("no-such-program").code()).isEqualTo(127);
  }

  @Test
  void aProgramThatIsAskedToEndHasItsTimeForThat() throws Exception {
    String script =
        "trap 'echo asked > asked; exit 5' TERM; echo up > up; while :; do sleep 0.05; done";
    List<String> line = new ArrayList<>(List.of("setsid", "-w"));
    line.addAll(sandbox().line(mounts(), List.of("/bin/sh", "-c", script)));
    Process process = new ProcessBuilder(line).start();
    while (!Files.exists(own.resolve("up"))) {
      Thread.onSpinWait();
    }
    process.descendants().forEach(ProcessHandle::destroy);
    assertThat(process.waitFor()).isEqualTo(5);
    assertThat(own.resolve("asked")).hasContent("asked\n");
  }

  @Test
  void aHiddenDirectoryIsShownWhenTheOperatorOrASearchPathNamesIt() throws IOException {
    Path tools = Files.createDirectories(temp.toRealPath().resolve("tools/bin"));
    Path data = Files.createDirectories(temp.toRealPath().resolve("data"));
    Map<String, String> environment = new HashMap<>(Map.of("HOME", temp.toRealPath().toString()));
    environment.put("PATH", tools + ":/usr/bin");
    Sandbox sandbox = Sandbox.of(BUBBLEWRAP, List.of(home), environment, List.of(data), List.of());
    assertThat(sandbox.shows(data.resolve("more"))).isTrue();
    assertThat(sandbox.shows(tools)).isTrue();
    assertThat(sandbox.shows(temp.resolve("other"))).isFalse();
    assertThat(sandbox.shows(home)).isFalse();
    assertThat(sandbox.shows(Path.of("/usr/lib"))).isTrue();
    assertThat(Sandbox.NONE.shows(home)).isTrue();
    assertThat(sandbox.mountable().listed()).isEmpty();
    assertThat(Sandbox.NONE.mountable().listed()).isNull();
  }

  @Test
  void ofTheServersEnvironmentAProgramGetsWhatItNeedsAndAHomeOfItsOwn() {
    Map<String, String> whole =
        Map.of("PATH", "/usr/bin", "DATABASE_PASSWORD", "x", "HOME", "/root");
    assertThat(sandbox().environment(whole, own))
        .containsEntry("PATH", "/usr/bin")
        .containsEntry("HOME", own.toString())
        .doesNotContainKey("DATABASE_PASSWORD");
    assertThat(Sandbox.NONE.environment(whole, own)).isEqualTo(whole);
  }

  @Test
  void theKernelHoldsAProgramToItsOpenFilesAndTheSizeOfAFile() throws Exception {
    ProgramLimits limits = new ProgramLimits(50, 90, 1 << 20);
    for (Sandbox sandbox : List.of(sandbox(), Sandbox.NONE)) {
      Sandbox each = sandbox.with(limits, PersonPrograms.UNLIMITED);
      Ended ended =
          run(
              each.line(
                  mounts(),
                  List.of(
                      "/bin/sh",
                      "-c",
                      "ulimit -n; ulimit -n 200 2>&1; cd '"
                          + own
                          + "'; dd if=/dev/zero of=big bs=64k count=64 2>&1 || echo ended")));
      assertThat(ended.output().lines().findFirst()).contains("90");
      assertThat(ended.output()).contains("ended");
      assertThat(Files.size(own.resolve("big"))).isEqualTo(1 << 20);
      Files.delete(own.resolve("big"));
    }
  }

  @Test
  void theKernelLimitsTheProcessesOfAProgramApartFromOthers() throws Exception {
    assumeThat(System.getProperty("user.name"))
        .as("a user who may become another")
        .isEqualTo("root");
    ProgramLimits limits = new ProgramLimits(16, 90, 1 << 20); // The kernel's limit is 36.
    Path all = Files.createDirectories(temp.toRealPath().resolve("of another"));
    Files.setPosixFilePermissions(all, PosixFilePermissions.fromString("rwxrwxrwx"));
    Sandbox.Mounts mounts = new Sandbox.Mounts(Path.of("/"), List.of(), List.of());
    List<String> line =
        new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    line.addAll(
        Sandbox.of(BUBBLEWRAP, List.of(all), Map.of(), List.of(), List.of())
            .with(limits, PersonPrograms.UNLIMITED)
            .line(
                mounts,
                List.of(
                    "/bin/sh",
                    "-c",
                    "i=0; while [ $i -lt 80 ]; do i=$((i + 1)); sleep 20 & echo started $i; done")));
    Ended ended = run(line);
    assertThat(ended.output()).contains("Cannot fork");
    assertThat(ended.output().lines().filter(each -> each.startsWith("started")).count())
        .isBetween(20L, 36L);
  }
}
