package io.orrery.orchestrator.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.core.net.FreePort;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An S3 server with its objects in a directory (S3Proxy); fetched with Maven where it can be. */
public final class S3Proxy implements AutoCloseable {
  public static final String ACCESS_KEY = "test-account";
  public static final String SECRET_KEY = "test-secret-key";
  public static final String BUCKET = "artifacts";

  private static final String VERSION = "2.6.0";
  private static final int FETCHING_SECONDS = 240;

  private final Path libraries;
  private final Path directory;
  private final int port;
  private @Nullable Process process;

  private S3Proxy(Path libraries, Path directory, int port) {
    this.libraries = libraries;
    this.directory = directory;
    this.port = port;
  }

  /** Starts one with an empty bucket; skips the test where it cannot be had. */
  public static S3Proxy start(Path directory) throws Exception {
    Path libraries = fetched();
    Files.createDirectories(directory.resolve("objects").resolve(BUCKET));
    S3Proxy server = new S3Proxy(libraries, directory, FreePort.take());
    server.start();
    return server;
  }

  /** Starts it with what it had before, on the port that it had. */
  public void start() throws Exception {
    Path properties = directory.resolve("s3proxy.properties");
    Files.writeString(
        properties,
        """
        s3proxy.endpoint=%s
        s3proxy.authorization=aws-v2-or-v4
        s3proxy.identity=%s
        s3proxy.credential=%s
        jclouds.provider=filesystem
        jclouds.identity=none
        jclouds.credential=none
        jclouds.filesystem.basedir=%s
        """
            .formatted(endpoint(), ACCESS_KEY, SECRET_KEY, directory.resolve("objects")));
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                libraries + "/*",
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("s3proxy.log").toFile());
    builder.environment().put("LOG_LEVEL", "warn");
    Process fresh = builder.start();
    process = fresh;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!answers()) {
      if (!fresh.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException(Files.readString(directory.resolve("s3proxy.log")));
      }
      Thread.sleep(50);
    }
  }

  /** Fetches it once for all modules. */
  private static Path fetched() throws Exception {
    Path place =
        Path.of("")
            .toAbsolutePath()
            .resolveSibling("orchestrator-verticles/target/s3proxy-" + VERSION);
    if (Files.isDirectory(place)) {
      return place;
    }
    Path target = Objects.requireNonNull(place.getParent());
    Files.createDirectories(target);
    Path draft = Files.createTempDirectory(target, "s3proxy-");
    Files.writeString(
        draft.resolve("pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>test</groupId><artifactId>s3proxy</artifactId><version>1</version>
          <packaging>pom</packaging>
          <dependencies><dependency>
            <groupId>org.gaul</groupId><artifactId>s3proxy</artifactId><version>%s</version>
          </dependency></dependencies>
        </project>
        """
            .formatted(VERSION));
    int code;
    try {
      Process maven =
          new ProcessBuilder(
                  List.of(
                      "mvn",
                      "-B",
                      "-q",
                      "-f",
                      draft.resolve("pom.xml").toString(),
                      "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies",
                      "-DincludeScope=runtime",
                      "-DoutputDirectory=" + draft.resolve("lib")))
              .redirectErrorStream(true)
              .redirectOutput(draft.resolve("mvn.log").toFile())
              .start();
      boolean done = maven.waitFor(FETCHING_SECONDS, TimeUnit.SECONDS);
      maven.descendants().forEach(ProcessHandle::destroy);
      maven.destroy();
      code = done ? maven.exitValue() : -1;
    } catch (IOException none) {
      code = -1;
    }
    assumeTrue(code == 0, "Maven cannot fetch S3Proxy here");
    try {
      Files.move(draft.resolve("lib"), place, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException taken) {
      // Another class that runs beside this one has fetched it meanwhile.
      if (!Files.isDirectory(place)) {
        throw taken;
      }
    }
    return place;
  }

  private boolean answers() {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The file of an object. */
  public Path object(String name) {
    return directory.resolve("objects").resolve(BUCKET).resolve(name);
  }

  /** The settings of its bucket. */
  public S3Settings settings(String prefix) {
    return new S3Settings(endpoint(), BUCKET, "us-east-1", prefix, ACCESS_KEY, SECRET_KEY);
  }

  /** Ends it; what it has stays on the disk. */
  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      running.onExit().join();
    }
  }
}
