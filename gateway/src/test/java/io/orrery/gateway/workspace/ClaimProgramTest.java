package io.orrery.gateway.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.process.SearchPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program for the files of a claim, by the shells and tools that images have. */
@Timeout(60)
class ClaimProgramTest {
  @TempDir private Path temp;
  private Path root;
  private List<String> shell;

  /** Takes a shell; with BusyBox its tools too, and no others. */
  private void use(String name) throws IOException {
    Path program = SearchPath.of(System.getenv()).find(name).orElse(null);
    assumeTrue(program != null, "there is no " + name);
    root = Files.createDirectories(temp.resolve("root"));
    shell = new ArrayList<>(List.of(String.valueOf(program)));
    if (name.equals("busybox")) {
      Path tools = Files.createDirectories(temp.resolve("tools"));
      for (String tool : "stat find head tail mv rm rmdir wc mkdir ls".split(" ")) {
        Files.createSymbolicLink(tools.resolve(tool), program);
      }
      shell.add("sh");
      shell.addFirst("PATH=" + tools);
      shell.addFirst("env");
    }
  }

  /** A run of the program. */
  private final class Run implements AutoCloseable {
    private final Process process;

    Run(String... lines) throws IOException {
      List<String> words = new ArrayList<>(shell);
      words.addAll(ClaimProgram.WORDS.subList(1, ClaimProgram.WORDS.size()));
      process = new ProcessBuilder(words).redirectError(temp.resolve("errors").toFile()).start();
      send(ClaimProgram.program());
      send(ClaimProgram.lines(lines));
    }

    void send(byte[] input) throws IOException {
      OutputStream to = process.getOutputStream();
      to.write(input);
      to.flush();
    }

    String answer() throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      while (!all.toString(UTF_8).endsWith("//\n")) {
        int next = process.getInputStream().read();
        assertThat(next).as("%s %s", all, Files.readString(temp.resolve("errors"))).isNotNegative();
        all.write(next);
      }
      String answer = all.toString(UTF_8);
      return answer.substring(0, answer.length() - 3);
    }

    String rest() throws IOException {
      return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    int end() throws Exception {
      process.getOutputStream().close();
      rest();
      return process.waitFor();
    }

    String errors() throws IOException {
      return Files.readString(temp.resolve("errors")).strip();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private Run run(String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add(1, root.toString());
    return new Run(all.toArray(String[]::new));
  }

  private List<String> entries(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void aFileIsWrittenPartByPartAndGetsItsNameByTheLastWord(String name) throws Exception {
    use(name);
    byte[] part = "0123456789//\n".repeat(10_000).getBytes(UTF_8);
    try (Run run = run("write", "2", "a", "b c", "-x", ".orrery-part-1")) {
      assertThat(run.answer()).isEqualTo("ok");
      for (int i = 0; i < 3; i++) {
        run.send(ClaimProgram.lines("" + part.length));
        run.send(part);
        assertThat(run.answer()).isEqualTo("ok");
      }
      run.send(ClaimProgram.lines("end"));
      assertThat(run.answer()).isEqualTo("none");
      assertThat(entries(root.resolve("a/b c"))).containsExactly(".orrery-part-1");
      run.send(ClaimProgram.lines("commit"));
      WorkspaceEntry written = ClaimProgram.entry(run.answer());
      assertThat(written.name()).isEqualTo("-x");
      assertThat(written.bytes()).isEqualTo(3L * part.length);
      assertThat(written.changedAt())
          .isEqualTo(Files.getLastModifiedTime(root.resolve("a/b c/-x")).toInstant());
      assertThat(run.end()).isZero();
    }
    assertThat(root.resolve("a/b c/-x")).hasSize(3L * part.length);

    try (Run run = run("read", "2", "a", "b c", "-x")) {
      assertThat(ClaimProgram.entry(run.answer()).kind()).isEqualTo(WorkspaceEntry.Kind.FILE);
      run.send(ClaimProgram.lines("130005", "7"));
      assertThat(run.rest()).isEqualTo("56789//");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void whatBreaksOffLeavesNothing(String name) throws Exception {
    use(name);
    for (String input : List.of("", "9\nfour", "4\nfour", "4\nfourend\n", "4\nfourend\ndrop\n")) {
      try (Run run = run("write", "0", "x", ".orrery-part-1")) {
        run.answer();
        run.send(input.getBytes(UTF_8));
        assertThat(run.end()).as(input).isEqualTo(ClaimProgram.BROKE_OFF);
      }
      assertThat(entries(root)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void noLinkIsFollowedAndNoWayLeadsOut(String name) throws Exception {
    use(name);
    Path outside = Files.createDirectories(temp.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    Files.createSymbolicLink(root.resolve("out"), outside);
    Files.createSymbolicLink(root.resolve("dangling"), temp.resolve("nowhere"));
    for (String[] way :
        List.of(
            new String[] {"list", "1", "out"},
            new String[] {"list", "1", ".."},
            new String[] {"read", "1", "out", "secret"},
            new String[] {"read", "2", "..", "outside", "secret"},
            new String[] {"write", "1", "out", "x", ".orrery-part-1"},
            new String[] {"write", "1", "dangling", "x", ".orrery-part-1"},
            new String[] {"make", "1", "out", "x"},
            new String[] {"delete", "1", "out", "secret", "true"},
            new String[] {"move", "1", "out", "secret", "0", "x", "true", "false"})) {
      try (Run run = run(way)) {
        assertThat(run.rest()).as(String.join(" ", way)).isEmpty();
        assertThat(run.end()).as(String.join(" ", way)).isEqualTo(ClaimProgram.UNFIT);
        assertThat(run.errors()).containsAnyOf("link", "leads out");
      }
    }
    try (Run run = run("delete", "0", "out", "true")) {
      assertThat(run.answer()).isEqualTo("ok");
    }
    assertThat(entries(outside)).containsExactly("secret");
    assertThat(entries(root)).containsExactly("dangling");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void namesAreToldAsTheyAre(String name) throws Exception {
    use(name);
    List<String> odd = List.of("-rf", "\n", "a\n\\b", "'\"$(x)`y`*", " ", "ä");
    for (String each : odd) {
      Files.writeString(root.resolve(each), "x");
    }
    List<String> found = new ArrayList<>();
    try (Run run = run("list", "0")) {
      for (String answer = run.answer(); !answer.equals("end"); answer = run.answer()) {
        found.add(ClaimProgram.entry(answer).name());
      }
      assertThat(run.end()).isZero();
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(odd);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void whatIsLeftOfAnUploadGoesAfterADay(String name) throws Exception {
    use(name);
    Path old = Files.createFile(root.resolve(".orrery-part-1"));
    Files.createFile(root.resolve(".orrery-part-2"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(3))));
    try (Run run = run("list", "0")) {
      assertThat(run.rest()).endsWith("end//\n");
    }
    assertThat(entries(root)).containsExactly(".orrery-part-2");
  }
}
