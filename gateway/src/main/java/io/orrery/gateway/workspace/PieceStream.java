package io.orrery.gateway.workspace;

import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a file that comes over the bus in pieces, each asked for when the one before has been
 * read. Blocks, so that it is read on a worker thread only.
 */
final class PieceStream extends InputStream {
  private static final int PATIENCE_MINUTES = 2;
  private static final Duration RETRY = Duration.ofSeconds(10);

  /** A source of pieces. */
  @FunctionalInterface
  interface Pieces {
    /** The bytes from an offset on; none past the end of the file. */
    Future<byte[]> from(long offset);
  }

  private final Pieces pieces;
  private final MessageDigest digest = Sha256.begin();
  private long left;
  private long at;
  private byte[] piece = new byte[0];
  private int place;

  /**
   * @param most bytes after which the stream ends, also when the file has grown since
   */
  PieceStream(Pieces pieces, long most) {
    this.pieces = pieces;
    this.left = most;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (place == piece.length && !next()) {
      return -1;
    }
    int count = Math.min(length, piece.length - place);
    System.arraycopy(piece, place, into, offset, count);
    place += count;
    return count;
  }

  /** Fetches the next piece; false when there is none. */
  private boolean next() throws IOException {
    byte[] fetched = left <= 0 ? new byte[0] : fetched();
    int count = (int) Math.min(left, fetched.length);
    piece = count == fetched.length ? fetched : Arrays.copyOf(fetched, count);
    place = 0;
    at += count;
    left -= count;
    digest.update(piece);
    return count > 0;
  }

  private byte[] fetched() throws IOException {
    try {
      return pieces
          .from(at)
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw Problem.of(e.getCause() == null ? e : e.getCause()).toException();
    } catch (TimeoutException e) {
      throw new Problem.Unavailable(
              "The files did not come for %d minutes.".formatted(PATIENCE_MINUTES), RETRY)
          .toException();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server ends");
    }
  }

  /** Reads the rest, and fails with Broken when the bytes of the whole do not have a digest. */
  void verify(@Nullable String expected) throws IOException {
    transferTo(OutputStream.nullOutputStream());
    String found = HexFormat.of().formatHex(digest.digest());
    if (expected != null && !expected.equals(found)) {
      throw new Problem.Broken(
              "the stored artifact sha256:%s is damaged: it is %s".formatted(expected, found))
          .toException();
    }
  }
}
