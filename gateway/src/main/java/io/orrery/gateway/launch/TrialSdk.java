package io.orrery.gateway.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * The trial SDK, unpacked from its jar to where trials can import it. The folder is named after its
 * content, so that trials that started before an upgrade keep theirs.
 */
final class TrialSdk {
  private static final String ROOT = "sdk";
  private static final String MARK = "/sdk/compat/nni/__init__.py";

  private TrialSdk() {}

  /**
   * Unpacks it below a home, unless it is there; the directory that holds {@code compat}. The link
   * {@code current} leads there, for Python programs of the home's owner.
   */
  static Path unpack(Path home) throws IOException {
    Path sdk = unpacked(home);
    Path link = home.resolve(ROOT).resolve("current");
    if (!Files.exists(link) || !Files.isSameFile(link, sdk)) {
      Path fresh = link.resolveSibling("current.new");
      Files.deleteIfExists(fresh);
      Files.createSymbolicLink(fresh, sdk.getFileName());
      Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return sdk;
  }

  private static Path unpacked(Path home) throws IOException {
    URL mark = TrialSdk.class.getResource(MARK);
    if (mark == null) {
      throw new IOException("the trial SDK is not on the class path");
    }
    if (mark.getProtocol().equals("jar")) {
      String jar = mark.toString().substring(0, mark.toString().indexOf('!'));
      try (FileSystem files = FileSystems.newFileSystem(URI.create(jar), Map.of())) {
        return unpack(files.getPath("/" + ROOT), home);
      }
    }
    try {
      return unpack(Path.of(mark.toURI()).resolve("../../..").normalize(), home);
    } catch (URISyntaxException e) {
      throw new IOException("the trial SDK lies at " + mark, e);
    }
  }

  private static Path unpack(Path source, Path home) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(source)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    Path target = home.resolve(ROOT).resolve(fingerprint(source, files));
    if (Files.exists(target)) {
      return target;
    }
    Path fresh = Files.createTempDirectory(Files.createDirectories(home.resolve(ROOT)), "new-");
    for (Path file : files) {
      Path copy = fresh.resolve(source.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
    try {
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      return target;
    }
    return target;
  }

  private static String fingerprint(Path source, List<Path> files) throws IOException {
    CRC32C sum = new CRC32C();
    for (Path file : files) {
      sum.update(source.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
      try (InputStream in = new CheckedInputStream(Files.newInputStream(file), sum)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
    return Long.toHexString(sum.getValue());
  }
}
