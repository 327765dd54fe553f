package io.orrery.gateway.http;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Unpacks a gzip body (RFC 1952) a piece a turn of the event loop. A few bytes may unpack to a
 * great many: what comes out is counted, and no more of it is made than was allowed.
 */
final class GzipBody {
  private static final int PIECE = 32 * 1024;

  private final GZIPInputStream in;
  private final int limit;
  private final Consumer<Buffer> taker;
  private final Context context;
  private final Promise<Void> done = Promise.promise();
  private long seen;

  private GzipBody(GZIPInputStream in, int limit, Consumer<Buffer> taker, Context context) {
    this.in = in;
    this.limit = limit;
    this.taker = taker;
    this.context = context;
  }

  /**
   * Hands the pieces out.
   *
   * @param limit bytes that may come out
   * @param taker takes the next piece; what it throws fails the future, and it is not called again
   * @return completes after the last piece; fails with Refused when the body is not gzip as a
   *     whole, with TooLarge when more would come out
   */
  static Future<Void> unpack(Buffer body, int limit, Consumer<Buffer> taker) {
    try {
      GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body.getBytes()), PIECE);
      GzipBody pieces = new GzipBody(in, limit, taker, Vertx.currentContext());
      pieces.next();
      return pieces.done.future();
    } catch (IOException e) {
      return Future.failedFuture(unreadable(e));
    }
  }

  private void next() {
    byte[] piece = new byte[PIECE];
    try {
      int length = in.readNBytes(piece, 0, PIECE);
      seen += length;
      if (seen > limit) {
        throw new Problem.TooLarge(
                String.format(
                    Locale.ROOT,
                    "A body may have %,d bytes here, this one unpacks to more.",
                    limit))
            .toException();
      }
      taker.accept(Buffer.buffer(length == PIECE ? piece : Arrays.copyOf(piece, length)));
      if (length < PIECE) {
        in.close();
        done.complete();
      } else {
        context.runOnContext(go -> next());
      }
    } catch (IOException e) {
      done.fail(unreadable(e));
    } catch (StackOverflowError deep) { // the stream of the JDK calls itself for each empty part
      done.fail(unreadable(new ZipException("it has too many empty parts")));
    } catch (RuntimeException e) {
      done.fail(e);
    }
  }

  private static RuntimeException unreadable(IOException e) {
    if (e instanceof ZipException || e instanceof EOFException) {
      String why = e instanceof EOFException ? "it ends too early" : e.getMessage();
      return new Problem.Refused(
              new Finding("", "the body is said to be gzip and cannot be unpacked: " + why))
          .toException();
    }
    return new UncheckedIOException(e);
  }
}
