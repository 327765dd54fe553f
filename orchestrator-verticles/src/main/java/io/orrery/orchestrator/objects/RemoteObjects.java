package io.orrery.orchestrator.objects;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of objects with names. One that cannot be reached, or is overloaded, is a Problem that
 * may pass; what it refuses is an {@link IOException} in its words. Blocks, and is thread safe.
 */
public interface RemoteObjects extends AutoCloseable {
  /** Checks that objects may be stored, read and deleted. */
  void check() throws IOException;

  /**
   * Stores a file as an object, whole or not at all.
   *
   * @param digest its SHA-256
   */
  void put(String name, Path file, String digest) throws IOException;

  /** When an object was stored; empty when it is not there. */
  Optional<Instant> storedAt(String name) throws IOException;

  /**
   * Some bytes of an object; none behind its end.
   *
   * @return null when it is not there
   */
  byte @Nullable [] read(String name, long offset, int limit) throws IOException;

  /** Deletes an object; one that is not there is no failure. */
  void delete(String name) throws IOException;

  @Override
  void close();
}
