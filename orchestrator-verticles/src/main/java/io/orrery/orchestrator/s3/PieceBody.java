package io.orrery.orchestrator.s3;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Takes a piece of a body and drops the rest: a store that ignores the range of a request sends the
 * whole object, which may be larger than the memory.
 */
final class PieceBody implements BodySubscriber<byte[]> {
  private static final int WHOLE = 200;
  private static final int PART = 206;

  private final CompletableFuture<byte[]> piece = new CompletableFuture<>();
  private final byte[] bytes;
  private long skip;
  private int filled;
  private @Nullable Subscription subscription;

  private PieceBody(long skip, int limit) {
    this.skip = skip;
    this.bytes = new byte[limit];
  }

  /** The bytes that a request for a range has asked for, or the refusal of a store. */
  static BodyHandler<byte[]> handler(long offset, int limit) {
    return head ->
        switch (head.statusCode()) {
          case PART -> new PieceBody(0, limit);
          case WHOLE -> new PieceBody(offset, limit);
          default -> BodyHandlers.ofByteArray().apply(head);
        };
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return piece;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      int skipped = (int) Math.min(skip, buffer.remaining());
      buffer.position(buffer.position() + skipped);
      skip -= skipped;
      int taken = Math.min(buffer.remaining(), bytes.length - filled);
      buffer.get(bytes, filled, taken);
      filled += taken;
    }
    Subscription present = subscription;
    if (filled == bytes.length && present != null && !piece.isDone()) {
      present.cancel();
      onComplete();
    }
  }

  @Override
  public void onError(Throwable failure) {
    piece.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    piece.complete(Arrays.copyOf(bytes, filled));
  }
}
