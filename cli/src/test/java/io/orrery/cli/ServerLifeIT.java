package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a server in a process of its own. */
final class ServerLifeIT {
  @TempDir Path directory;

  private CommandLineRun run;
  private Path home;

  @BeforeEach
  void prepare() throws IOException {
    run = new CommandLineRun(directory);
    run.program = FakeServerProcess.program();
    run.clock = InstantSource.system();
    home = directory.resolve("home");
    Files.writeString(directory.resolve("exp.yml"), "trialCommand: x\n");
    // Where nothing listens, so that what happens to listen at the usual port is left alone.
    Files.createDirectories(home);
    Files.writeString(home.resolve("server.json"), "{\"pid\":1,\"url\":\"http://127.0.0.1:1\"}");
  }

  @AfterEach
  void end() {
    server().ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void aServerThatRunStartedGoesDownWithIt() {
    Result result = run.run("experiment", "run", "exp.yml");

    assertThat(result.err()).contains("starting one in " + home);
    assertThat(result.last()).isEqualTo("best: trial1 0.5 {\"x\":1}");
    assertThat(result.code()).isZero();
    assertThat(server()).isEmpty();
  }

  @Test
  void keepLeavesItForTheNextRun() {
    assertThat(run.run("experiment", "run", "exp.yml", "--keep").code()).isZero();
    assertThat(server()).isPresent();

    Result second = run.run("experiment", "run", "exp.yml");

    assertThat(second.code()).isZero();
    assertThat(second.err()).doesNotContain("starting");
    assertThat(server()).isPresent();
  }

  @Test
  void aServerThatCannotStartShowsWhy() throws IOException {
    Path broken = Files.createDirectories(directory.resolve("broken"));
    Files.copy(home.resolve("server.json"), broken.resolve("server.json"));
    run.environment.put("ORRERY_HOME", broken.toString());

    Result result = run.run("experiment", "run", "exp.yml");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("ended with 1").contains("the port is taken by a kettle");
  }

  @Test
  void aServerThatRefusesItsConfigurationEndsTheCommandWith2() {
    run.environment.put("ORRERY_HOME", directory.resolve("refusing").toString());

    Result result = run.run("up", "--detach");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("refused its configuration").contains("no key http.prt");
  }

  @Test
  void ctrlCWhileItStartsEndsIt() {
    run.interrupts.arrived();

    Result result = run.run("experiment", "run", "exp.yml");

    assertThat(result.code()).isEqualTo(130);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void detachReturnsWhenItIsReadyAndDownEndsIt() {
    Result up = run.run("up", "--detach", "--port", "0");

    assertThat(up.code()).isZero();
    assertThat(up.last()).startsWith("http://127.0.0.1:");
    Result again = run.run("up", "--detach"); // A6
    assertThat(again.code()).isZero();
    assertThat(again.err()).isEqualTo("orrery: already running at " + up.last() + "\n");
    assertThat(again.out()).isEqualTo(up.last() + "\n");
    assertThat(run.run("up").code()).as("in the foreground as well").isZero();
    assertThat(run.run("status").code()).isZero();
    assertThat(run.run("down").err()).contains("has ended");
    assertThat(server()).isEmpty();
    assertThat(run.run("status").code()).isEqualTo(1);
    assertThat(run.run("down").code()).isZero();
  }

  /** The process that the home's file names, when it is one of ours. */
  private Optional<ProcessHandle> server() {
    try {
      String text = Files.readString(home.resolve("server.json"));
      long pid = Long.parseLong(text.replaceAll("(?s).*\"pid\":(\\d+).*", "$1"));
      return pid == 1 ? Optional.empty() : ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
