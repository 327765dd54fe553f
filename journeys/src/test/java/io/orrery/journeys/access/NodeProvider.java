package io.orrery.journeys.access;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A certified OpenID provider, the npm package {@code oidc-provider}, as a process of its own. */
final class NodeProvider implements AutoCloseable {
  private static final String PACKAGE = "oidc-provider@9.13.3";
  private static final int INSTALLING_SECONDS = 90;
  private static final int STARTING_SECONDS = 60;

  private final Process process;
  private final int port;

  private NodeProvider(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one that knows a server; skips the test where it cannot be had. */
  static NodeProvider start(Path directory, String server, String secret) throws Exception {
    Path place = installed();
    Path secretFile = directory.resolve("provider-secret");
    Files.writeString(secretFile, secret);
    int port = FreePort.take();
    Process process =
        new ProcessBuilder(
                "node",
                place.resolve("provider.mjs").toString(),
                Integer.toString(port),
                server + "/api/v1/session/openid/callback",
                server + "/login",
                secretFile.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("provider.log").toFile())
            .start();
    NodeProvider provider = new NodeProvider(process, port);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTING_SECONDS);
    while (!provider.answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        provider.close();
        throw new IOException(Files.readString(directory.resolve("provider.log")));
      }
      Thread.sleep(50);
    }
    return provider;
  }

  String issuer() {
    return "http://127.0.0.1:" + port;
  }

  private boolean answers() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static Path installed() throws Exception {
    Path place = Path.of("target", PACKAGE.replace('@', '-')).toAbsolutePath();
    Files.createDirectories(place);
    if (!Files.exists(place.resolve("node_modules/oidc-provider/package.json"))) {
      assumeTrue(
          succeeds(
              place,
              List.of(
                  "npm",
                  "install",
                  "--prefix",
                  place.toString(),
                  "--no-audit",
                  "--no-fund",
                  "--silent",
                  PACKAGE)),
          "npm cannot install " + PACKAGE + " here");
    }
    assumeTrue(succeeds(place, List.of("node", "--version")), "there is no node here");
    try (InputStream script =
        Objects.requireNonNull(NodeProvider.class.getResourceAsStream("/openid/provider.mjs"))) {
      Files.copy(script, place.resolve("provider.mjs"), StandardCopyOption.REPLACE_EXISTING);
    }
    return place;
  }

  private static boolean succeeds(Path place, List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(place.resolve("npm.log").toFile())
              .start();
      boolean done = process.waitFor(INSTALLING_SECONDS, TimeUnit.SECONDS);
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      return done && process.exitValue() == 0;
    } catch (IOException none) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
