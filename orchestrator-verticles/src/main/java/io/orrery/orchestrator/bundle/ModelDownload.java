package io.orrery.orchestrator.bundle;

import io.orrery.core.digest.Sha256;
import io.orrery.core.http.PublicAddresses;
import io.orrery.core.workload.ModelSource;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * A download of a model. An archive ({@code .zip}, {@code .tar}, {@code .tar.gz}, {@code .tgz}) is
 * unpacked into files and directories; one with an entry of another kind, or that would lie
 * outside, is refused. Blocks its thread.
 */
final class ModelDownload {
  private static final int MOST_REDIRECTS = 5;
  private static final int BUFFER = 1 << 16;
  private static final int OK = 200;

  /** The longest that a server may take to begin its answer. */
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

  /** Addresses at which clouds describe their machines that are not link-local ones. */
  private static final Set<String> METADATA = Set.of("fd00:ec2:0:0:0:0:0:254", "100.100.100.200");

  private final Limits limits;
  private final Predicate<InetAddress> allowed;

  /**
   * Bounds of a download.
   *
   * @param packed bytes that come over the network
   * @param unpacked bytes of all files
   * @param files of an archive
   * @param room bytes that are left on the disk
   * @param silence after which a server that sends nothing is given up
   */
  record Limits(long packed, long unpacked, int files, long room, Duration silence) {
    static final Limits USUAL =
        new Limits(64L << 30, 256L << 30, 10_000, 256L << 20, Duration.ofSeconds(60));
  }

  /**
   * @param allowed addresses besides those of the Internet that may be asked
   */
  ModelDownload(Limits limits, Predicate<InetAddress> allowed) {
    this.limits = limits;
    this.allowed = allowed;
  }

  /**
   * Puts a model into an empty directory.
   *
   * @throws IOException when it is not there, is not what it should be, or is too large; with a
   *     sentence that names the address
   */
  void fetch(ModelSource source, Path directory) throws IOException {
    Path packed = directory.resolve(".download");
    try {
      String name = load(source, packed);
      unpack(name, packed, directory);
    } catch (IOException e) {
      throw new IOException(
          "could not download %s: %s".formatted(withoutQuery(source.url()), words(e)), e);
    } finally {
      Files.deleteIfExists(packed);
    }
  }

  /** A query may hold a signature. */
  private static String withoutQuery(String url) {
    return url.replaceAll("[?#].*", "");
  }

  private static String words(IOException e) {
    return switch (e) {
      case UnknownHostException unknown -> "there is no host " + unknown.getMessage();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }

  // ---- the network ---------------------------------------------------------------------------

  /** The name of the file. */
  private String load(ModelSource source, Path to) throws IOException {
    URI at = URI.create(source.url());
    for (int hop = 0; hop <= MOST_REDIRECTS; hop++) {
      try (PinnedGet answer = open(at)) {
        int status = answer.status();
        String next = answer.header("location");
        if (status >= 300 && status < 400 && next != null) {
          at = next(at, next);
          continue;
        }
        if (status != OK) {
          throw new IOException("its server answers " + status);
        }
        if (answer.length() > limits.packed()) {
          throw tooLarge("it", limits.packed());
        }
        String is = save(answer.body(limits.silence()), to);
        if (source.sha256() != null && !source.sha256().equals(is)) {
          throw new IOException("it is sha256:%s, not sha256:%s".formatted(is, source.sha256()));
        }
        return source.fileName();
      }
    }
    throw new IOException("it leads on more than " + MOST_REDIRECTS + " times");
  }

  private static URI next(URI at, String location) throws IOException {
    try {
      return at.resolve(location);
    } catch (IllegalArgumentException e) {
      throw new IOException("it leads to what is no address", e);
    }
  }

  /**
   * Tells whether clouds may keep the passwords of their machines there, which no configuration
   * allows.
   */
  private static boolean isOfMachine(InetAddress address) {
    return address.isLinkLocalAddress()
        || address.isMulticastAddress()
        || METADATA.contains(address.getHostAddress());
  }

  /** Asks the addresses of a host that were checked, and no other. */
  private PinnedGet open(URI at) throws IOException {
    String fault = ModelSource.fault(at.toString());
    if (fault != null) {
      throw new IOException("it leads to %s: %s".formatted(withoutQuery(at.toString()), fault));
    }
    InetAddress[] addresses = InetAddress.getAllByName(at.getHost());
    for (InetAddress address : addresses) {
      if (isOfMachine(address)) {
        throw new IOException(
            at.getHost() + " is a link-local address, or one of a cloud's, which is not asked");
      }
      if (!PublicAddresses.contains(address) && !allowed.test(address)) {
        throw new IOException(
            at.getHost()
                + " is in a network that models are not downloaded from: an administrator allows"
                + " networks by models.networks");
      }
    }
    Duration patience =
        limits.silence().compareTo(FIRST_ANSWER) < 0 ? limits.silence() : FIRST_ANSWER;
    return new PinnedGet(at, List.of(addresses), patience);
  }

  /** The digest. */
  private String save(InputStream from, Path to) throws IOException {
    MessageDigest digest = Sha256.begin();
    Budget budget = new Budget(limits.packed(), "it", Files.getFileStore(to.getParent()));
    try (InputStream in = from;
        OutputStream out = Files.newOutputStream(to)) {
      byte[] buffer = new byte[BUFFER];
      for (int read; (read = in.read(buffer)) >= 0; ) {
        budget.spend(read);
        digest.update(buffer, 0, read);
        out.write(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  // ---- archives ------------------------------------------------------------------------------

  private void unpack(String name, Path packed, Path directory) throws IOException {
    String lower = name.toLowerCase(Locale.ROOT);
    Budget budget = new Budget(limits.unpacked(), "what is in it", Files.getFileStore(directory));
    if (lower.endsWith(".zip")) {
      zip(packed, directory, budget);
    } else if (lower.endsWith(".tar.gz") || lower.endsWith(".tgz")) {
      try (InputStream in = new GZIPInputStream(buffered(packed), BUFFER)) {
        tar(in, directory, budget);
      }
    } else if (lower.endsWith(".tar")) {
      try (InputStream in = buffered(packed)) {
        tar(in, directory, budget);
      }
    } else {
      Files.move(packed, directory.resolve(name));
      return;
    }
    Files.delete(packed);
    raise(directory);
  }

  private static InputStream buffered(Path file) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file), BUFFER);
  }

  private void tar(InputStream from, Path directory, Budget budget) throws IOException {
    TarArchiveInputStream tar = new TarArchiveInputStream(from, "UTF-8");
    int entries = 0;
    for (TarArchiveEntry entry; (entry = tar.getNextEntry()) != null; ) {
      count(++entries);
      byte kind = entry.getLinkFlag();
      boolean file = kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM;
      if (entry.isSparse() || (!file && !entry.isDirectory())) {
        throw new IOException("its entry %s is no file or directory".formatted(entry.getName()));
      }
      take(entry.getName(), entry.isDirectory(), tar, directory, budget);
    }
    if (entries == 0) {
      throw new IOException("it is no archive, or an empty one");
    }
  }

  private void zip(Path packed, Path directory, Budget budget) throws IOException {
    try (ZipFile zip = ZipFile.builder().setPath(packed).get()) {
      int entries = 0;
      for (Enumeration<ZipArchiveEntry> all = zip.getEntries(); all.hasMoreElements(); ) {
        ZipArchiveEntry entry = all.nextElement();
        count(++entries);
        if (entry.isUnixSymlink()) {
          throw new IOException("its entry %s is no file or directory".formatted(entry.getName()));
        }
        try (InputStream content = zip.getInputStream(entry)) {
          take(entry.getName(), entry.isDirectory(), content, directory, budget);
        }
      }
    }
  }

  private void count(int entries) throws IOException {
    if (entries > limits.files()) {
      throw new IOException("it has more than %,d entries".formatted(limits.files()));
    }
  }

  private static void take(
      String name, boolean folder, InputStream content, Path root, Budget budget)
      throws IOException {
    String plain = name.replaceAll("/+$", "");
    if (plain.isEmpty() || plain.equals(".")) {
      return;
    }
    Path target = root.resolve(plain).normalize();
    if (name.startsWith("/")
        || name.indexOf('\\') >= 0
        || List.of(plain.split("/")).contains("..")
        || !target.startsWith(root)
        || target.equals(root)) {
      throw new IOException("its entry %s lies outside of the directory".formatted(name));
    }
    if (folder) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    // An entry that is there twice is refused, too: the file is created.
    try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
      byte[] buffer = new byte[BUFFER];
      for (int read; (read = content.read(buffer)) >= 0; ) {
        budget.spend(read);
        out.write(buffer, 0, read);
      }
    }
  }

  /** An archive of one directory stands for what is in that directory. */
  private static void raise(Path directory) throws IOException {
    List<Path> top = children(directory);
    if (top.size() != 1 || !Files.isDirectory(top.getFirst())) {
      return;
    }
    Path only = Files.move(top.getFirst(), directory.resolve(".only"));
    for (Path child : children(only)) {
      Files.move(child, directory.resolve(child.getFileName()));
    }
    Files.delete(only);
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    try (var all = Files.newDirectoryStream(directory)) {
      all.forEach(children::add);
    }
    return children;
  }

  private static IOException tooLarge(String what, long most) {
    return new IOException("%s has more than %,d bytes".formatted(what, most));
  }

  /** A count of bytes that may still be written, whatever an archive says of itself. */
  private final class Budget {
    private static final long STEP = 64L << 20;

    private final long most;
    private final String what;
    private final FileStore disk;
    private long spent;
    private long looked;

    Budget(long most, String what, FileStore disk) {
      this.most = most;
      this.what = what;
      this.disk = disk;
    }

    void spend(int bytes) throws IOException {
      spent += bytes;
      if (spent > most) {
        throw tooLarge(what, most);
      }
      if (spent >= looked) {
        looked = spent + STEP;
        if (disk.getUsableSpace() - STEP < limits.room()) {
          throw new IOException("the disk has no room for it");
        }
      }
    }
  }
}
