package io.orrery.core.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file with a record of how much of another one is known to be durable, overwritten in its place
 * and, while things go on, without a sync.
 *
 * <p>Two slots are written in turn, each with a number and a checksum, and the newest whole one
 * counts: a crash in the midst of a write leaves the record before it. What a record says must be
 * durable before it is written; then a record that was lost with a power cut is an older truth and
 * never a wrong one. Safe for use by several threads.
 */
public final class MarkFile implements AutoCloseable {
  private static final int SLOT = 2_048;
  private static final int SLOTS = 2;

  /** Checksum of what follows, length, number. */
  private static final int HEADER = 16;

  private final FileChannel channel;
  private long number;

  private MarkFile(FileChannel channel, long number) {
    this.channel = channel;
    this.number = number;
  }

  /** The content of a mark's file. */
  public sealed interface Found {
    /** The absence of the file. */
    record Missing() implements Found {}

    /** A file in which both copies are damaged. */
    record Damaged() implements Found {}

    /** The newest record. */
    record Known(JsonNode record) implements Found {}
  }

  /** Reads a file that may be missing. */
  public static Found read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new Found.Missing();
    }
    Slot newest = newest(Files.readAllBytes(file));
    return newest == null ? new Found.Damaged() : new Found.Known(Json.parse(newest.text()));
  }

  /** Opens a file to be written, and makes it when it is not there; 0600. */
  public static MarkFile open(Path file) throws IOException {
    Slot newest = Files.exists(file) ? newest(Files.readAllBytes(file)) : null;
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return new MarkFile(channel, newest == null ? 0 : newest.number());
  }

  /** Writes a record in the place of the one before the last. It is not synced. */
  public synchronized void write(JsonNode record) throws IOException {
    byte[] text = record.toString().getBytes(StandardCharsets.UTF_8);
    if (text.length > SLOT - HEADER) {
      throw new IOException("a mark of " + text.length + " bytes has no room");
    }
    ByteBuffer slot = ByteBuffer.allocate(SLOT);
    slot.putInt(0).putInt(text.length).putLong(++number).put(text);
    slot.putInt(0, checksum(slot.array()));
    slot.rewind();
    long at = number % SLOTS * SLOT;
    while (slot.hasRemaining()) {
      channel.write(slot, at + slot.position());
    }
  }

  /** Writes a record into all slots, so that damage to one costs nothing, and syncs. */
  public synchronized void writeDurably(JsonNode record) throws IOException {
    for (int i = 0; i < SLOTS; i++) {
      write(record);
    }
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private record Slot(long number, String text) {}

  private static @Nullable Slot newest(byte[] file) {
    Slot newest = null;
    for (int at = 0; at + SLOT <= file.length; at += SLOT) {
      ByteBuffer slot = ByteBuffer.allocate(SLOT).put(file, at, SLOT).flip();
      int length = slot.getInt(4);
      long number = slot.getLong(8);
      boolean whole =
          number > 0
              && length >= 0
              && length <= SLOT - HEADER
              && slot.getInt(0) == checksum(slot.array());
      if (whole && (newest == null || number > newest.number())) {
        newest = new Slot(number, new String(slot.array(), HEADER, length, StandardCharsets.UTF_8));
      }
    }
    return newest;
  }

  private static int checksum(byte[] slot) {
    CRC32C sum = new CRC32C();
    sum.update(slot, Integer.BYTES, SLOT - Integer.BYTES);
    return (int) sum.getValue();
  }
}
