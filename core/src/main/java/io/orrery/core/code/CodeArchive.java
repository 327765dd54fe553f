package io.orrery.core.code;

import io.orrery.core.digest.Sha256;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.file.PosixTar;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * The tar format of a code directory. The stream depends on names, contents, links and the right to
 * execute, and on nothing else: not on times, owners or the order on disk. Its SHA-256 names it.
 */
public final class CodeArchive {
  private static final int FILE = 0644;
  private static final int PROGRAM = 0755;

  /** Whether the system shows open files by their numbers; one that does not runs clients alone. */
  private static final boolean DESCRIPTORS = Files.isDirectory(Path.of("/proc/self/fd"));

  private CodeArchive() {}

  /** The name of the stream that a tree would be packed to: its SHA-256 in hexadecimal digits. */
  public static String digest(CodeTree tree) throws IOException {
    return write(tree, OutputStream.nullOutputStream());
  }

  /**
   * Writes the tar stream.
   *
   * @return its digest
   * @throws IOException when a file cannot be read, or changes meanwhile; names it
   */
  public static String write(CodeTree tree, OutputStream to) throws IOException {
    MessageDigest digest = Sha256.begin();
    // Finished and not closed: the stream below is its owner's.
    TarArchiveOutputStream tar = PosixTar.to(new DigestOutputStream(to, digest));
    Path root = tree.root().toRealPath();
    for (CodeTree.Entry entry : tree.entries()) {
      put(root, entry, tar);
    }
    tar.finish();
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Unpacks a tar stream into an empty directory. Nothing is written outside of it.
   *
   * @param most of files and bytes
   * @return the digest of the stream
   * @throws IOException when it is no tar stream, is too large, or has an entry that would lie
   *     outside or that is no file, directory or link
   */
  public static String unpack(InputStream from, Path directory, CodeLimits most)
      throws IOException {
    MessageDigest digest = Sha256.begin();
    InputStream counted = new DigestInputStream(from, digest);
    TarArchiveInputStream tar = new TarArchiveInputStream(counted, "UTF-8");
    Path root = directory.toRealPath();
    int entries = 0;
    long bytes = 0;
    for (TarArchiveEntry entry; (entry = tar.getNextEntry()) != null; ) {
      entries++;
      bytes += Math.max(0, entry.getSize());
      if (entries > most.entries() || bytes > most.bytes()) {
        throw new IOException(
            "it has more than %,d entries or %,d bytes".formatted(most.entries(), most.bytes()));
      }
      take(tar, entry, root);
    }
    // The padding behind the last entry belongs to the digest.
    counted.transferTo(OutputStream.nullOutputStream());
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void take(TarArchiveInputStream tar, TarArchiveEntry entry, Path root)
      throws IOException {
    Path target = root.resolve(entry.getName()).normalize();
    Path parent = target.getParent();
    if (!target.startsWith(root) || parent == null || target.equals(root)) {
      throw new IOException("the entry " + entry.getName() + " lies outside of the directory");
    }
    Files.createDirectories(parent);
    // A link among the parents would lead out of the directory.
    if (!parent.toRealPath().equals(parent)) {
      throw new IOException("the entry " + entry.getName() + " lies behind a link");
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
    } else if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else if (isPlainFile(entry)) {
      Files.copy(tar, target);
      if ((entry.getMode() & 0100) != 0) {
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    } else {
      throw new IOException("the entry " + entry.getName() + " is no file, directory or link");
    }
  }

  private static boolean isPlainFile(TarArchiveEntry entry) {
    byte kind = entry.getLinkFlag();
    return kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM;
  }

  private static void put(Path root, CodeTree.Entry entry, TarArchiveOutputStream tar)
      throws IOException {
    switch (entry) {
      case CodeTree.Directory directory -> {
        tar.putArchiveEntry(plain(new TarArchiveEntry(directory.path() + "/"), PROGRAM));
      }
      case CodeTree.Link link -> {
        TarArchiveEntry header = new TarArchiveEntry(link.path(), TarConstants.LF_SYMLINK);
        header.setLinkName(link.target());
        tar.putArchiveEntry(plain(header, PROGRAM));
      }
      case CodeTree.RegularFile file -> {
        TarArchiveEntry header = new TarArchiveEntry(file.path());
        header.setSize(file.bytes());
        tar.putArchiveEntry(plain(header, file.executable() ? PROGRAM : FILE));
        try (InputStream content = open(root, root.resolve(file.path()))) {
          content.transferTo(tar);
        }
      }
    }
    tar.closeArchiveEntry();
  }

  /**
   * Opens a file as it was found: what has taken its place since then, or the place of a directory
   * above it, is not followed when it is a link, and not waited for when it is a FIFO.
   */
  private static InputStream open(Path root, Path file) throws IOException {
    return DESCRIPTORS
        ? Channels.newInputStream(ConfinedFile.openNamed(root, file))
        : Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static TarArchiveEntry plain(TarArchiveEntry entry, int mode) {
    entry.setMode(mode);
    entry.setModTime(0);
    entry.setIds(0, 0);
    entry.setNames("", "");
    return entry;
  }
}
