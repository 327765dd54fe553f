package io.orrery.compute.storage;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.azure.BlobContainer;
import io.orrery.compute.azure.BlobReading;
import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Microsoft's own emulator of Azure Storage; installed with npm where that can be. */
public final class Azurite implements AutoCloseable {
  public static final String ACCOUNT = "devstoreaccount1";

  /** The same in every Azurite, and no secret. */
  public static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final String VERSION = "3.37.0";
  private static final int INSTALLING_SECONDS = 240;

  /** Whether it could not be installed: then no further class of tests tries. */
  private static volatile boolean missing;

  private final Path program;
  private final Path directory;
  private final int port;
  private @Nullable Process process;

  private Azurite(Path program, Path directory, int port) {
    this.program = program;
    this.directory = directory;
    this.port = port;
  }

  /** Starts one; skips the test where there is none and none can be had. */
  public static Azurite start(Path directory) throws Exception {
    Path program = installed();
    Azurite azurite = new Azurite(program, directory, FreePort.take());
    azurite.start();
    return azurite;
  }

  /** Starts it with what it had before, on the port that it had. */
  public void start() throws Exception {
    Process fresh =
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
    process = fresh;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!answers()) {
      if (!fresh.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(Files.readString(directory.resolve("azurite.log")));
      }
      Thread.sleep(50);
    }
  }

  /** Installs it once for all modules; beside its place, so that what is there is whole. */
  private static Path installed() throws Exception {
    Path place =
        Path.of("")
            .toAbsolutePath()
            .resolveSibling("orchestrator-verticles/target/azurite-" + VERSION);
    Path program = place.resolve("node_modules/.bin/azurite-blob");
    if (!Files.exists(program)) {
      assumeTrue(!missing, "npm could not install azurite here");
      Path target = Objects.requireNonNull(place.getParent());
      Files.createDirectories(target);
      Path draft = Files.createTempDirectory(target, "azurite-");
      missing = !install(draft) || !Files.exists(draft.resolve(place.relativize(program)));
      assumeTrue(!missing, "npm cannot install azurite here");
      try {
        Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        if (!Files.exists(program)) {
          throw e;
        }
        // The tests of another module were faster.
      }
    }
    return program;
  }

  private static boolean install(Path place) throws InterruptedException {
    try {
      Process npm =
          new ProcessBuilder(
                  "npm",
                  "install",
                  "--prefix",
                  place.toString(),
                  "--fetch-retries=1",
                  "--no-audit",
                  "--no-fund",
                  "--silent",
                  "azurite@" + VERSION)
              .redirectErrorStream(true)
              .redirectOutput(place.resolve("npm.log").toFile())
              .start();
      boolean done = npm.waitFor(INSTALLING_SECONDS, TimeUnit.SECONDS);
      npm.descendants().forEach(ProcessHandle::destroy);
      npm.destroy();
      return done && npm.exitValue() == 0;
    } catch (IOException none) {
      return false;
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Where its account is. */
  public String url() {
    return "http://127.0.0.1:" + port + "/" + ACCOUNT;
  }

  /** One of its containers. */
  public BlobContainer container(String name) {
    return new BlobContainer(cloud(), ACCOUNT, KEY, name, InstantSource.system());
  }

  /** The names of all blobs of a container below a prefix that ends with a slash, without it. */
  public List<String> names(String container, String prefix) throws Exception {
    String list = BlobReading.list(cloud(), ACCOUNT, KEY, container, prefix);
    return Pattern.compile("<Name>([^<]+)</Name>")
        .matcher(list)
        .results()
        .map(found -> found.group(1).substring(prefix.length()))
        .toList();
  }

  /** A cloud whose storage accounts are all here. */
  public AzureCloud cloud() {
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

  /** Ends it; what it has stays on the disk. */
  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.descendants().forEach(ProcessHandle::destroy);
      running.destroy();
      // It writes down what it has; one that hangs is not waited for.
      running.onExit().completeOnTimeout(running, 10, TimeUnit.SECONDS).join().destroyForcibly();
    }
  }
}
