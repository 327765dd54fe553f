package io.orrery.gateway.launch;

import io.orrery.core.auth.BearerToken;
import io.orrery.core.file.DurableFile;
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
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The home directory of a server. Its lock admits one server at a time. The lock ends with the
 * process, so a killed server leaves none behind.
 */
final class HomeDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HomeDirectory.class);
  private static final Set<PosixFilePermission> OWNER_ALONE =
      PosixFilePermissions.fromString("rwx------");

  /** Bytes for the program's own files and the first of everything that it keeps. */
  private static final long LEAST_ROOM = 8 << 20;

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private HomeDirectory(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /**
   * Makes the directory when it is not there, shuts out all but its owner, and locks it.
   *
   * @throws io.orrery.core.problem.ProblemException Conflict when another server has it, Broken
   *     when its disk is full
   */
  static HomeDirectory open(Path path) throws IOException {
    Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ALONE));
    Path real = path.toRealPath();
    makePrivate(real);
    insistOnRoom(real);
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
    DurableFile.sweep(real);
    return new HomeDirectory(real, channel, lock);
  }

  /** One that was made by hand, or by an earlier version, may let others in. */
  private static void makePrivate(Path home) throws IOException {
    Set<PosixFilePermission> before = Files.getPosixFilePermissions(home);
    if (!before.equals(OWNER_ALONE)) {
      Files.setPosixFilePermissions(home, OWNER_ALONE);
      LOG.info(
          "{} is its owner's alone from now on (mode 0700, it was {})",
          home,
          PosixFilePermissions.toString(before));
    }
  }

  /** Everything that is written from here on would fail in words of its own. */
  private static void insistOnRoom(Path home) throws IOException {
    long room = Files.getFileStore(home).getUsableSpace();
    if (room < LEAST_ROOM) {
      throw new Problem.Broken(
              "the disk of the home %s is full: %,d KB are left, and a server needs %,d KB to start; make room, or give another home with --home or $ORRERY_HOME"
                  .formatted(home, room >> 10, LEAST_ROOM >> 10))
          .toException();
    }
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
    DurableFile.write(path.resolve("server.json"), Json.MAPPER.writeValueAsBytes(server));
  }

  /** Takes the announcement back and lets another server in. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path.resolve("server.json"));
    lock.release();
    lockFile.close();
  }
}
