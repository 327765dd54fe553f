package io.orrery.core.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * A tar stream (POSIX.1-2001, pax) of a directory that is read from any offset and stored nowhere:
 * the same directory gives the same bytes. Regular files and directories, by name; links and all
 * else are left out. For directories whose files do not change. Its methods block.
 */
public final class TarView {
  private static final int RECORD = 512;
  private static final int FILE = 0644;
  private static final int PROGRAM = 0755;

  /** Two empty records end a tar stream. */
  private static final int END = 2 * RECORD;

  /**
   * An entry of the stream.
   *
   * @param at offset of its head
   * @param head bytes before its content
   */
  private record Entry(Path file, String name, long bytes, long at, int head) {
    long content() {
      return at + head;
    }

    long end() {
      return content() + padded(bytes);
    }
  }

  private final List<Entry> entries;
  private final long size;

  private TarView(List<Entry> entries, long size) {
    this.entries = entries;
    this.size = size;
  }

  /**
   * The stream of a directory, whose names are relative to it.
   *
   * @throws IOException when it cannot be read
   */
  public static TarView of(Path directory) throws IOException {
    List<Path> paths;
    try (Stream<Path> tree = Files.walk(directory)) {
      paths = tree.filter(path -> !path.equals(directory) && isTaken(path)).sorted().toList();
    }
    List<Entry> entries = new ArrayList<>(paths.size());
    long at = 0;
    for (Path path : paths) {
      boolean isDirectory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
      String name = directory.relativize(path).toString() + (isDirectory ? "/" : "");
      long bytes = isDirectory ? 0 : Files.size(path);
      Entry entry = new Entry(path, name, bytes, at, head(path, name, bytes).length);
      entries.add(entry);
      at = entry.end();
    }
    return new TarView(List.copyOf(entries), at + END);
  }

  private static boolean isTaken(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Bytes of the whole stream. */
  public long size() {
    return size;
  }

  /**
   * A part of the stream; shorter than asked for at its end, and empty beyond.
   *
   * @param offset from 0
   * @param limit most bytes, at least 1
   * @throws IOException when a file cannot be read, or is not as long as it was
   */
  public byte[] read(long offset, int limit) throws IOException {
    int length = Math.clamp(size - offset, 0, limit);
    ByteBuffer into = ByteBuffer.allocate(length);
    for (int i = first(offset); i < entries.size() && into.hasRemaining(); i++) {
      copy(entries.get(i), offset, into);
    }
    // What is left is the end, which is empty.
    return into.array();
  }

  /** The place of the entry that an offset lies in; the number of entries for the end. */
  private int first(long offset) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).end() <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static void copy(Entry entry, long offset, ByteBuffer into) throws IOException {
    long from = offset + into.position();
    if (from < entry.content()) {
      byte[] head = head(entry.file(), entry.name(), entry.bytes());
      if (head.length != entry.head()) {
        throw changed(entry);
      }
      int skipped = (int) (from - entry.at());
      into.put(head, skipped, Math.min(head.length - skipped, into.remaining()));
      from = offset + into.position();
    }
    if (into.hasRemaining() && from < entry.content() + entry.bytes()) {
      copyContent(entry, from - entry.content(), into);
      from = offset + into.position();
    }
    int padding = (int) Math.min(entry.end() - from, into.remaining());
    into.position(into.position() + padding);
  }

  private static void copyContent(Entry entry, long from, ByteBuffer into) throws IOException {
    int wanted = (int) Math.min(entry.bytes() - from, into.remaining());
    ByteBuffer part = into.slice(into.position(), wanted);
    try (SeekableByteChannel file =
        Files.newByteChannel(entry.file(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      file.position(from);
      while (part.hasRemaining()) {
        if (file.read(part) < 0) {
          throw changed(entry);
        }
      }
    }
    into.position(into.position() + wanted);
  }

  private static IOException changed(Entry entry) {
    return new FileSystemException(entry.name(), null, "the file changed while it was read");
  }

  /** The head of an entry, with the records before it that a long name or a large file needs. */
  private static byte[] head(Path path, String name, long bytes) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    TarArchiveOutputStream tar = PosixTar.to(head);
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setModTime(0);
    entry.setSize(bytes);
    entry.setMode(name.endsWith("/") || Files.isExecutable(path) ? PROGRAM : FILE);
    tar.putArchiveEntry(entry);
    tar.flush();
    return head.toByteArray();
  }

  private static long padded(long bytes) {
    return Math.ceilDiv(bytes, RECORD) * (long) RECORD;
  }
}
