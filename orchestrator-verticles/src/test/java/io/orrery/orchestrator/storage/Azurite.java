package io.orrery.orchestrator.storage;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.orchestrator.azure.AzureCloud;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Microsoft's own emulator of Azure Storage; installed with npm where that can be. */
final class Azurite implements AutoCloseable {
  static final String ACCOUNT = "devstoreaccount1";

  /** The same in every Azurite; a secret of nobody. */
  static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final String VERSION = "3.35.0";
  private static final int INSTALLING_SECONDS = 50;

  private final Process process;
  private final int port;

  private Azurite(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one; skips the test where there is none and none can be had. */
  static Azurite start(Path directory) throws Exception {
    Path program = installed();
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--blobHost",
                "127.0.0.1",
                "--blobPort",
                Integer.toString(port),
                "--location",
                directory.toString(),
                "--silent",
                "--skipApiVersionCheck",
                "--disableTelemetry")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("azurite.log").toFile())
            .start();
    Azurite azurite = new Azurite(process, port);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!azurite.answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        azurite.close();
        throw new IOException(Files.readString(directory.resolve("azurite.log")));
      }
      Thread.sleep(50);
    }
    return azurite;
  }

  private static Path installed() throws Exception {
    Path place = Path.of("target", "azurite-" + VERSION).toAbsolutePath();
    Path program = place.resolve("node_modules/.bin/azurite-blob");
    if (!Files.exists(program)) {
      Files.createDirectories(place);
      int code;
      try {
        Process npm =
            new ProcessBuilder(
                    List.of(
                        "npm",
                        "install",
                        "--prefix",
                        place.toString(),
                        "--no-audit",
                        "--no-fund",
                        "--silent",
                        "azurite@" + VERSION))
                .redirectErrorStream(true)
                .redirectOutput(place.resolve("npm.log").toFile())
                .start();
        boolean done = npm.waitFor(INSTALLING_SECONDS, TimeUnit.SECONDS);
        npm.descendants().forEach(ProcessHandle::destroy);
        npm.destroy();
        code = done ? npm.exitValue() : -1;
      } catch (IOException none) {
        code = -1;
      }
      assumeTrue(code == 0 && Files.exists(program), "npm cannot install azurite here");
    }
    return program;
  }

  private boolean answers() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** A cloud whose storage accounts are all here. */
  AzureCloud cloud() {
    return new AzureCloud(
        "http://127.0.0.1:1",
        "http://127.0.0.1:1/%s",
        "http://127.0.0.1:1/%s",
        "http://127.0.0.1:" + port + "/%s",
        "none");
  }

  static Map<String, String> variables() {
    return Map.of("STORAGE_KEY", KEY);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
