package io.orrery.orchestrator.run;

import io.orrery.core.time.Clock;
import io.orrery.orchestrator.objects.RemoteObjects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** A store of objects with one for each content. */
final class ObjectPlace implements ArtifactPlace {
  /** A younger object is not sent again; less than the time for which unused ones stay. */
  private static final Duration YOUNG = Duration.ofHours(12);

  /** The bytes that are asked for at once. */
  private static final int CHUNK = 4 << 20;

  private static final int MOST_CHUNKS = 8;
  private static final int LOCKS = 64;

  private final RemoteObjects store;
  private final Path drafts;
  private final Clock clock;
  private final ReentrantLock[] locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(ReentrantLock[]::new);

  /** Chunks that were read lately: a download asks for small pieces, one after the other. */
  private final Map<Chunk, byte[]> read =
      new LinkedHashMap<>(MOST_CHUNKS, 1, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Chunk, byte[]> eldest) {
          return size() > MOST_CHUNKS;
        }
      };

  private record Chunk(String digest, long number) {}

  /**
   * @param drafts a directory of this machine
   */
  ObjectPlace(RemoteObjects store, Path drafts, Clock clock) {
    this.store = store;
    this.drafts = drafts;
    this.clock = clock;
  }

  @Override
  public void check() throws IOException {
    store.check();
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public Path drafts() {
    return drafts;
  }

  /** While it is being sent, it is not deleted. */
  @Override
  public void keep(Path draft, String digest) throws IOException {
    ReentrantLock lock = lock(digest);
    lock.lock();
    try {
      Optional<Instant> stored = store.storedAt(digest);
      if (stored.isEmpty() || stored.get().isBefore(clock.now().minus(YOUNG))) {
        store.put(digest, draft, digest);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public InputStream open(String digest) throws IOException {
    return new Chunks(digest, chunk(digest, 0));
  }

  @Override
  public byte[] read(String digest, long offset, int limit) throws IOException {
    long number = offset / CHUNK;
    Chunk key = new Chunk(digest, number);
    byte[] bytes;
    synchronized (read) {
      bytes = read.get(key);
    }
    if (bytes == null) {
      bytes = chunk(digest, number);
      synchronized (read) {
        read.put(key, bytes);
      }
    }
    int from = (int) Math.min(bytes.length, offset - number * CHUNK);
    int length = Math.min(limit, bytes.length - from);
    byte[] piece = new byte[length];
    System.arraycopy(bytes, from, piece, 0, length);
    return piece;
  }

  private byte[] chunk(String digest, long number) throws IOException {
    byte[] bytes = store.read(digest, number * CHUNK, CHUNK);
    if (bytes == null) {
      throw new NoSuchFileException(digest);
    }
    return bytes;
  }

  @Override
  public boolean has(String digest) throws IOException {
    return store.storedAt(digest).isPresent();
  }

  @Override
  public boolean discard(String digest, Instant before) throws IOException {
    ReentrantLock lock = lock(digest);
    lock.lock();
    try {
      Optional<Instant> stored = store.storedAt(digest);
      if (stored.isPresent() && !stored.get().isBefore(before)) {
        return false;
      }
      if (stored.isPresent()) {
        store.delete(digest);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private ReentrantLock lock(String digest) {
    return locks[Math.floorMod(digest.hashCode(), LOCKS)];
  }

  /** The chunks of a content, one after the other. */
  private final class Chunks extends InputStream {
    private final String digest;
    private byte[] chunk;
    private long number;
    private int at;

    Chunks(String digest, byte[] first) {
      this.digest = digest;
      this.chunk = first;
    }

    /** Whether there is a byte at the present place. */
    private boolean more() throws IOException {
      if (at == chunk.length && chunk.length == CHUNK) {
        number++;
        chunk = chunk(digest, number);
        at = 0;
      }
      return at < chunk.length;
    }

    @Override
    public int read() throws IOException {
      return more() ? chunk[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!more()) {
        return -1;
      }
      int count = Math.min(length, chunk.length - at);
      System.arraycopy(chunk, at, into, offset, count);
      at += count;
      return count;
    }
  }
}
