package io.orrery.gateway.launch;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.file.AtomicFile;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.StoreOwner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps everything. One server at a time: whoever holds the lock. The lock goes with
 * its process, so a killed server leaves none behind.
 */
final class HomeDirectory implements AutoCloseable {
  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private HomeDirectory(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Makes the directory when it is not there, readable by its owner alone, and locks it.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when another server has it
   */
  static HomeDirectory open(Path path) throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path real = path.toRealPath();
    FileChannel channel =
        FileChannel.open(real.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = tryLock(channel);
    if (lock == null) {
      channel.close();
      throw new Problem.Conflict(
              "another server uses "
                  + real
                  + runningAs(real.resolve("server.json"))
                  + "; stop it with 'orrery down', or give this one its own --home")
          .toException();
    }
    return new HomeDirectory(real, channel, lock);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String runningAs(Path serverFile) {
    try {
      var json = Json.parse(Files.readString(serverFile));
      return " (process " + json.path("pid").asText() + ", " + json.path("url").asText() + ")";
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  Path path() {
    return path;
  }

  /**
   * Where the native part of SQLite is unpacked, which is anew for each process. A killed one
   * leaves its own behind; here the next one finds and deletes it.
   */
  Path unpacked() throws IOException {
    Path folder = Files.createDirectories(path.resolve("unpacked"));
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    }
    return folder;
  }

  /** The home's own configuration file; it may be missing. */
  ConfigurationFile configuration() {
    return ConfigurationFile.find(path.resolve("orrery.yml"));
  }

  /** Who the server of this home is to a database that others may want as well. */
  StoreOwner storeOwner() throws IOException {
    String description =
        "process " + ProcessHandle.current().pid() + " on " + machine() + ", home " + path;
    return new StoreOwner(Secret.of(path).name("store owner"), description);
  }

  /** What this machine is called. */
  static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "a machine without a name";
    }
  }

  /**
   * Tells the command line where the server is.
   *
   * @param token what to show it; null when nothing need be shown
   */
  void announce(String url, @Nullable BearerToken token) throws IOException {
    Map<String, Object> server = new LinkedHashMap<>();
    server.put("pid", ProcessHandle.current().pid());
    server.put("url", url);
    if (token != null) {
      server.put("token", token.text());
    }
    AtomicFile.write(path.resolve("server.json"), Json.MAPPER.writeValueAsBytes(server));
  }

  /** Takes the announcement back and lets another server in. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path.resolve("server.json"));
    lock.release();
    lockFile.close();
  }
}
