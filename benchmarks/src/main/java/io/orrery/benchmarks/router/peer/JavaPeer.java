package io.orrery.benchmarks.router.peer;

import io.orrery.benchmarks.child.MeasuredProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A proxy that comes from Maven Central: a folder of {@code benchmarks/peers} with a {@code
 * pom.xml} that names what it needs, and one source file that Java runs as it is. What it needs is
 * fetched when it is first measured, and never becomes part of the product.
 *
 * @param classPath resolved
 */
public record JavaPeer(String name, Path source, String classPath) {
  private static final long PATIENCE_MINUTES = 5;

  /**
   * Finds what a peer needs.
   *
   * @param root the folder {@code benchmarks}
   * @return null when it cannot be resolved, which is said on the standard error
   */
  public static @Nullable JavaPeer find(Path root, String name)
      throws IOException, InterruptedException {
    Path folder = root.resolve("peers").resolve(name);
    Path source = folder.resolve("Peer.java");
    Path kept = root.resolve("target/peers").resolve(name + ".cp");
    Path pom = folder.resolve("pom.xml");
    if (!Files.exists(kept)
        || Files.getLastModifiedTime(kept).compareTo(Files.getLastModifiedTime(pom)) < 0) {
      Files.createDirectories(kept.resolveSibling(""));
      Process maven =
          new ProcessBuilder(
                  "mvn",
                  "-q",
                  "-B",
                  "-f",
                  pom.toString(),
                  "dependency:build-classpath",
                  "-Dmdep.outputFile=" + kept)
              .redirectErrorStream(true)
              .redirectOutput(root.resolve("target/peers/" + name + ".log").toFile())
              .start();
      if (!maven.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || maven.exitValue() != 0) {
        maven.destroy();
        Files.deleteIfExists(kept);
        System.err.println(
            "benchmarks: " + name + " is left out, Maven cannot resolve what it needs");
        return null;
      }
    }
    return new JavaPeer(name, source, Files.readString(kept).strip());
  }

  /** Starts it with a heap of 512 MB, as the figures of others were taken. */
  public Proxy start(EndpointLayout site, String core) throws IOException, InterruptedException {
    int port = MeasuredProcess.freePort();
    return Proxy.start(
        name,
        site.folder(),
        port,
        core,
        true,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseParallelGC",
            "-Xmx512m",
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            source.toString(),
            Integer.toString(port),
            Integer.toString(site.owner()),
            Integer.toString(site.canary()),
            Integer.toString(site.domains())));
  }
}
