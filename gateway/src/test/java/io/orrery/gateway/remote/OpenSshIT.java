package io.orrery.gateway.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orrery.compute.remote.QuickRemote;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.net.FreePort;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.keeper.KeptEdge;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** OpenSSH's own server, where it is installed: its keys, its agent, its habits. */
class OpenSshIT extends TrainingServiceFixture {
  private static final Path SSHD = Path.of("/usr/sbin/sshd");

  private final KeptEdge edge = new KeptEdge(() -> listener);
  private final Map<String, Object> machine = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();
  private @Nullable Process sshd;
  private @Nullable Process agent;
  private Path account;
  private int port;

  @Override
  protected TrialAccess access() {
    return edge;
  }

  @Override
  protected void beforeService() throws Exception {
    assumeThat(SSHD).as("OpenSSH's server (apt-get install openssh-server)").exists();
    edge.start(vertx, bus, home());
    account = Files.createDirectories(directory.resolve("account"));
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file("hostkey"));
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", file("key"));
    Files.copy(directory.resolve("key.pub"), directory.resolve("authorized_keys"));
    port = FreePort.take();
    Files.writeString(
        directory.resolve("known_hosts"),
        "[127.0.0.1]:" + port + " " + Files.readString(directory.resolve("hostkey.pub")));
    startSshd();
    machine.put("host", "127.0.0.1");
    machine.put("port", port);
    machine.put("user", System.getProperty("user.name"));
    machine.put("sshKeyFile", file("key"));
    machine.put("sshPassphrase", "open sesame");
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private void startSshd() throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("sshd_config"),
            """
            ListenAddress 127.0.0.1
            Port %d
            HostKey %s
            PidFile none
            UsePAM no
            StrictModes no
            PasswordAuthentication no
            PermitRootLogin yes
            AuthorizedKeysFile %s
            SetEnv HOME=%s
            """
                .formatted(port, file("hostkey"), file("authorized_keys"), account));
    if (System.getProperty("user.name").equals("root")) {
      Files.createDirectories(Path.of("/run/sshd"));
    }
    sshd =
        new ProcessBuilder(SSHD.toString(), "-D", "-e", "-f", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("sshd.log").toFile())
            .start();
    Eventually.until(
        "sshd listens",
        () -> Files.readString(directory.resolve("sshd.log")).contains("Server listening"));
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor()).as("%s", List.of(command)).isZero();
  }

  @Override
  protected void afterService() throws Exception {
    for (Process process : new Process[] {sshd, agent}) {
      if (process != null) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
    }
  }

  @Override
  protected TrainingServiceSpec platform() {
    Map<String, Object> section = new HashMap<>();
    section.put("machineList", List.of(Map.copyOf(machine)));
    section.put("awayLimit", 60);
    if (Files.exists(directory.resolve("known_hosts"))) {
      section.put("knownHosts", file("known_hosts"));
    }
    return new TrainingServiceSpec("remote", new Parameters(section));
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    edge.tellDurable();
    return QuickRemote.open(surroundings, variables, Duration.ofSeconds(20));
  }

  @Override
  protected void lose(AttemptRef attempt) {
    throw new UnsupportedOperationException("not done here");
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws IOException {
    String mark = "/runs/" + EXPERIMENT + "/" + attempt.trial().trial() + ".1\0";
    return ProcessHandle.allProcesses()
        .anyMatch(process -> {
          try {
            String variables =
                Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "environ"),
                    StandardCharsets.ISO_8859_1);
            return variables.contains("ORRERY_RUN=" + account) && variables.contains(mark);
          } catch (IOException gone) {
            return false;
          }
        });
  }

  @Test
  void aSealedKeyOpensItAndATrialRunsReportsAndEnds() throws Exception {
    AttemptRef attempt = submit("echo out; echo 'orrery: final 0.5'");

    assertThat(listener.ended(attempt).exitCode()).isZero();

    assertThat(listener.points(attempt)).hasSize(1);
    assertThat(log(attempt, Stream.STDOUT)).contains("out\n");
  }

  @Test
  void aConnectionThatTheServerLosesIsMadeAgainOnTheSamePort() throws Exception {
    AttemptRef attempt =
        submit(
            "echo \"$ORRERY_URL\"; echo 'orrery: intermediate 0.5'\nsleep 3; echo 'orrery: final 0.75'");
    Eventually.until("its first report", () -> !listener.points(attempt).isEmpty());

    // Every session of it, as a reboot of the network or of sshd does; the listener stays.
    List<ProcessHandle> sessions = new ArrayList<>();
    sshd.descendants().filter(each -> isSshd(each)).forEach(sessions::add);
    assertThat(sessions).isNotEmpty();
    sessions.forEach(ProcessHandle::destroyForcibly);

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.points(attempt)).hasSize(2);
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aConnectionThatStandsOnlyOnTheirSideIsSentAway() throws Exception {
    AttemptRef attempt = submit("touch up; sleep 2; echo 'orrery: final 0.75'");
    Eventually.until("it runs", () -> listener.started(attempt));
    List<ProcessHandle> sessions = sshd.descendants().filter(each -> isSshd(each)).toList();

    restart();
    done(service.adopt(List.of()));
    submit(
        submission(
            attempt.trial().trial().value(), "touch up; sleep 2; echo 'orrery: final 0.75'"));

    assertThat(listener.ended(attempt).exitCode()).isZero();
    Eventually.until(
        "the first session is gone", () -> sessions.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static boolean isSshd(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
          .startsWith("sshd");
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void whatIsCanceledLeavesNoProcess() throws Exception {
    AttemptRef attempt =
        submit(
            "trap '' TERM; setsid sh -c 'sleep 301; sleep 301' & echo up; while :; do sleep 302; done");
    Eventually.until("it is up", () -> log(attempt, Stream.STDOUT).equals("up\n"));

    done(service.cancel(attempt));

    assertThat(runs(attempt)).isFalse();
  }

  @Test
  void aWrongPassphraseIsSaid() throws Exception {
    done(service.cleanUp(EXPERIMENT));
    machine.put("sshPassphrase", "not this one");

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("is not opened by sshPassphrase")
        .message()
        .doesNotContain("not this one");
    machine.remove("sshPassphrase");
    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("has a passphrase, and sshPassphrase is not set");
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void theUsualKeysAndKnownHostsAreThoseOfTheHomeThatTheVariableNames() throws Exception {
    Path user = Files.createDirectories(directory.resolve("user/.ssh"));
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", user + "/id_ed25519");
    Files.copy(
        user.resolve("id_ed25519.pub"),
        directory.resolve("authorized_keys"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.move(directory.resolve("known_hosts"), user.resolve("known_hosts"));
    machine.remove("sshKeyFile");
    machine.remove("sshPassphrase");
    variables.put("HOME", user.getParent().toString());
    done(service.cleanUp(EXPERIMENT));
    restart();

    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(listener.ended(submit("true")).exitCode()).isZero();
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aKeyThatTheAgentHasIsEnough() throws Exception {
    Path socket = directory.resolve("agent");
    agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString()).start();
    Eventually.until("the agent listens", () -> Files.exists(socket));
    ProcessBuilder add = new ProcessBuilder("ssh-add", "-q", file("open"));
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file("open"));
    Files.writeString(
        directory.resolve("authorized_keys"), Files.readString(directory.resolve("open.pub")));
    add.environment().put("SSH_AUTH_SOCK", socket.toString());
    assertThat(add.start().waitFor()).isZero();
    machine.remove("sshKeyFile");
    machine.remove("sshPassphrase");
    variables.put("SSH_AUTH_SOCK", socket.toString());
    done(service.cleanUp(EXPERIMENT));
    restart();

    done(service.prepare(EXPERIMENT, job("true")));
    assertThat(listener.ended(submit("true")).exitCode()).isZero();
  }
}
