package io.orrery.orchestrator.code;

import io.orrery.core.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * A code directory as one tar stream that depends on names, contents, links and the right to
 * execute, and on nothing else: not on times, owners or the order on disk. Its SHA-256 names it.
 */
final class Packing {
  private static final int FILE = 0644;
  private static final int PROGRAM = 0755;

  private Packing() {}

  /** The name of what a tree would be packed to. */
  static String digest(CodeTree tree) throws IOException {
    return write(tree, OutputStream.nullOutputStream());
  }

  /**
   * Writes the tar stream.
   *
   * @return its digest
   * @throws IOException when a file cannot be read, or changes meanwhile
   */
  static String write(CodeTree tree, OutputStream to) throws IOException {
    MessageDigest digest = Sha256.begin();
    // Finished and not closed: the stream below is its owner's.
    TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new DigestOutputStream(to, digest), "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
    for (CodeTree.Entry entry : tree.entries()) {
      put(tree.root(), entry, tar);
    }
    tar.finish();
    return HexFormat.of().formatHex(digest.digest());
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
        try (InputStream content = Files.newInputStream(root.resolve(file.path()))) {
          content.transferTo(tar);
        }
      }
    }
    tar.closeArchiveEntry();
  }

  private static TarArchiveEntry plain(TarArchiveEntry entry, int mode) {
    entry.setMode(mode);
    entry.setModTime(0);
    entry.setIds(0, 0);
    entry.setNames("", "");
    return entry;
  }
}
