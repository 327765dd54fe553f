package io.orrery.orchestrator.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;

/** A place where contents lie, each under its SHA-256. Blocks. */
interface ArtifactPlace extends AutoCloseable {
  /** Checks that it can be used. */
  void check() throws IOException;

  @Override
  void close();

  /** The directory of contents that are being written. */
  Path drafts();

  /**
   * Keeps a content, in the place of an equal one, which is young again by that.
   *
   * @param draft complete and on the disk; it may be moved away
   */
  void keep(Path draft, String digest) throws IOException;

  /**
   * A content from its beginning.
   *
   * @throws java.nio.file.NoSuchFileException when it is not here
   */
  InputStream open(String digest) throws IOException;

  /**
   * A piece of a content; shorter at its end, and empty behind that.
   *
   * @throws java.nio.file.NoSuchFileException when it is not here
   */
  byte[] read(String digest, long offset, int limit) throws IOException;

  boolean has(String digest) throws IOException;

  /**
   * Deletes a content.
   *
   * @param before one that was kept, or kept again, later stays
   * @return whether it is gone
   */
  boolean discard(String digest, Instant before) throws IOException;
}
