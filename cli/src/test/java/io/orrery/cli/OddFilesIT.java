package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.CommandLineRun.Result;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sends directories with FIFOs, sockets and links in them; a command that opens one would hang. */
@Timeout(60)
final class OddFilesIT {
  @TempDir Path directory;
  private final FakeServer server = new FakeServer();
  private CommandLineRun run;
  private Path code;

  @BeforeEach
  void prepare() throws Exception {
    run = new CommandLineRun(directory).at(server);
    server.on("GET /api/v1/me", 200, "{\"user\":\"ann\"}");
    code = Files.createDirectories(directory.resolve("code/below"));
    fifo(code.resolve("pipe"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      // A socket's file stays when it is closed.
      socket.bind(UnixDomainSocketAddress.of(code.resolve("sock")));
    }
    Files.writeString(code.resolve("plain"), "plain");
    Files.createSymbolicLink(directory.resolve("device"), Path.of("/dev/zero"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static void fifo(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
  }

  @Test
  void filesPutNamesWhatItLeavesOut() throws IOException {
    Files.createSymbolicLink(code.resolve("link"), Path.of("/etc/passwd"));
    server
        .on("PUT /api/v1/files/ann/code", 201, "{}")
        .on("PUT /api/v1/files/ann/code/below", 201, "{}")
        .on("PUT /api/v1/files/ann/code/below/plain", 201, "{}");

    Result sent = run.run("files", "put", "code");

    assertThat(sent.code()).as(sent.err()).isZero();
    assertThat(sent.err())
        .contains("left out " + code.resolve("pipe") + ": it is a FIFO")
        .contains("left out " + code.resolve("sock") + ": it is a socket")
        .contains("left out " + code.resolve("link") + ": it is a symbolic link");
    assertThat(server.lines())
        .contains("PUT /api/v1/files/ann/code/below/plain")
        .noneMatch(line -> line.matches(".*(pipe|sock|link|passwd).*"));
  }

  @Test
  void whatIsNoFileIsRefusedWhenItIsNamedItself() {
    for (String odd : new String[] {"code/below/pipe", "code/below/sock", "device"}) {
      Result put = run.run("files", "put", odd);
      assertThat(put.code()).as(odd).isEqualTo(2);
      assertThat(put.err()).contains("could not send " + odd).contains("not a file or directory");
      Result registered = run.run("model", "register", "m", odd);
      assertThat(registered.code()).as(odd).isEqualTo(2);
      assertThat(registered.err()).contains(odd).contains("a model has files");
    }
    Result whole = run.run("model", "register", "m", "code");
    assertThat(whole.err()).contains("pipe").contains("a FIFO");
    assertThat(server.lines()).noneMatch(line -> line.startsWith("PUT"));
  }

  @Test
  void codeOfAServiceIsSentWithoutThem() throws IOException {
    Files.writeString(
        directory.resolve("a.yml"), "kind: Service\nname: a\ncode: ./code\ncommand: x\n");
    server.on("PUT /api/v1/services/a", 200, "{\"outcome\":\"created\"}");

    Result checked = run.run("apply", "-f", "a.yml", "--dry-run");

    assertThat(checked.err())
        .contains("Left out of " + directory.resolve("code"))
        .contains("below/pipe (a FIFO)")
        .contains("below/sock (a socket)");
  }

  @Test
  void aFileThatADocumentNamesIsNotWaitedFor() throws Exception {
    fifo(directory.resolve("search.yml"));
    Files.writeString(
        directory.resolve("p.yml"),
        "kind: Pipeline\nname: p\ntasks: [{name: t, experiment: search.yml}]\n");

    Result refused = run.run("apply", "-f", "p.yml");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("search.yml is a FIFO, not a file");
  }
}
