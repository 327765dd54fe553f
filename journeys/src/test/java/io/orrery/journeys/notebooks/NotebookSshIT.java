package io.orrery.journeys.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.json.Json;
import io.orrery.core.process.SearchPath;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.ServerUsers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A real ssh and a real sftp into a notebook in its sandbox. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class NotebookSshIT extends NotebookJourney {
  private record Ended(int code, String text) {}

  @Override
  String configuration() {
    for (String program : List.of("bwrap", "ssh", "sftp", "ssh-keygen")) {
      assumeTrue(
          SearchPath.of(System.getenv()).find(program).isPresent(), "there is no " + program);
    }
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/sshd")), "there is no sshd");
    return "auth: {users: true}\n";
  }

  private Path key(String name) throws Exception {
    Path key = temp.resolve(name);
    assertThat(
            run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString()), "")
                .code())
        .isZero();
    return key;
  }

  private Ended run(List<String> line, String token) throws Exception {
    Path out = Files.createTempFile(temp, "out", ".txt");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("ORRERY_TOKEN", token);
    builder.environment().put("ORRERY_URL", server.url().toString());
    Process process = builder.directory(temp.toFile()).redirectOutput(out.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(out)).isTrue();
    return new Ended(process.exitValue(), Files.readString(out));
  }

  private Ended ssh(String token, Path key, String... words) throws Exception {
    List<String> line = new ArrayList<>(command("notebook", "ssh", "ann-1", "--"));
    line.addAll(List.of("-F", "none", "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"));
    line.addAll(List.of("-i", key.toString()));
    line.addAll(List.of(words));
    return run(line, token);
  }

  private Process begin(String token, Path key, String... words) throws Exception {
    List<String> line = new ArrayList<>(command("notebook", "ssh", "ann-1", "--"));
    line.addAll(List.of("-F", "none", "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"));
    line.addAll(List.of("-i", key.toString()));
    line.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("ORRERY_TOKEN", token);
    builder.environment().put("ORRERY_URL", server.url().toString());
    return builder.directory(temp.toFile()).redirectOutput(openOutput().toFile()).start();
  }

  private Path openOutput() {
    return temp.resolve("open.txt");
  }

  private static List<String> command(String... words) {
    return ServerProcess.command(words);
  }

  private String token(ServerUsers.Person person) throws Exception {
    ServerUsers.Reply made = users.send(person, "POST", "/api/v1/me/tokens", "{\"name\":\"ssh\"}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().get("token").textValue();
  }

  private String document(Path key) throws Exception {
    return Json.write(
        Map.of(
            "project",
            "vision",
            "share",
            List.of("bob"),
            "ssh",
            List.of(Files.readString(Path.of(key + ".pub"), StandardCharsets.UTF_8).strip())));
  }

  @Test
  void aKeyOfTheDocumentLetsItsPersonInAndNothingElseDoes() throws Exception {
    Path mine = key("mine");
    Path other = key("other");
    create("");
    awaitStatus("RUNNING");
    String ticket = token(ann);
    Ended without = ssh(ticket, mine, "true");
    assertThat(without.text()).contains("has no SSH: write your public key into its document");
    assertThat(without.code()).isEqualTo(2);

    ServerUsers.Reply wrong =
        users.send(
            ann,
            "PUT",
            ONE,
            "{\"project\":\"vision\",\"ssh\":[\"command=\\\"x\\\" ssh-ed25519 AAAA\",\"secret\"]}");
    assertThat(wrong.body()).contains("/ssh/0", "/ssh/1", "ssh has public keys");
    assertThat(users.send(ann, "PUT", ONE, document(mine)).status()).isEqualTo(200);
    act("reset");
    awaitStatus("RUNNING");

    Ended in = ssh(ticket, mine, "echo $HOME; cd; echo over > by-ssh.txt; exit 7");
    assertThat(in.text()).contains("/mnt/ann");
    assertThat(in.code()).isEqualTo(7);
    assertThat(temp.resolve("home/workspaces/ann/by-ssh.txt")).hasContent("over");

    // Another key, no key, and a password.
    assertThat(ssh(ticket, other, "true").text()).contains("Permission denied (publickey)");
    Ended password =
        ssh(ticket, other, "-o", "PreferredAuthentications=password,keyboard-interactive", "true");
    assertThat(password.text()).contains("Permission denied (publickey)");
    assertThat(password.code()).isEqualTo(255);

    // A person who may not enter gets no connection, whatever the key.
    assertThat(ssh(token(sam), mine, "true").code()).isNotZero();
    Ended admin = ssh(token(users.signIn("root")), mine, "true");
    assertThat(admin.text()).contains("root may not enter notebook ann-1");
    assertThat(admin.code()).isNotZero();
    String ofBob = token(bob);
    assertThat(ssh(ofBob, mine, "echo in").text()).contains("in");

    // A connection ends soon after its person is taken out of the share.
    Process open = begin(ofBob, mine, "echo here; exec sleep 617");
    await().atMost(PATIENCE).until(() -> Files.readString(openOutput()).contains("here"));
    ServerUsers.Reply mineAlone =
        users.send(ann, "PUT", ONE, document(mine).replace("\"bob\"", "\"sam\""));
    assertThat(mineAlone.status()).as(mineAlone.body()).isEqualTo(200);
    assertThat(open.waitFor(20, TimeUnit.SECONDS)).as("still open").isTrue();
    assertThat(users.send(ann, "PUT", ONE, document(mine)).status()).isEqualTo(200);

    // Files go by sftp, through the same command.
    Path launcher =
        Files.writeString(
            temp.resolve("proxy.sh"),
            "#!/bin/sh\nexec '%s' notebook ssh ann-1 --stdio\n"
                .formatted(String.join("' '", command())));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Path batch = Files.writeString(temp.resolve("batch"), "get by-ssh.txt fetched.txt\npwd\n");
    Ended sftp =
        run(
            List.of(
                "sftp",
                "-F",
                "none",
                "-b",
                batch.toString(),
                "-o",
                "ProxyCommand=" + launcher,
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=/dev/null",
                "-i",
                mine.toString(),
                System.getProperty("user.name") + "@ann-1"),
            ticket);
    assertThat(sftp.text()).contains("/mnt/ann");
    assertThat(temp.resolve("fetched.txt")).hasContent("over");
  }
}
