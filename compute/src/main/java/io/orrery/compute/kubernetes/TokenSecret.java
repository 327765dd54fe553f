package io.orrery.compute.kubernetes;

import io.orrery.compute.attempt.Background;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Secret with the tokens of attempts that are launched in the same moment, while it is built: the
 * last attempt that brings its token creates it. An attempt that has joined must {@link #put} or
 * {@link #leave}, or the others wait for ever. Safe for use by several threads.
 */
final class TokenSecret {
  /** A Secret has at most a megabyte, and a holder takes some 400 bytes of it. */
  private static final int MOST = 256;

  private final String name;
  private final Consumer<List<TokenHolder>> making;
  private final CompletableFuture<@Nullable Void> made = new CompletableFuture<>();
  private final List<TokenHolder> holders = new ArrayList<>();
  private int joined;
  private int answered;

  /**
   * @param making makes it; may block
   */
  TokenSecret(String name, Consumer<List<TokenHolder>> making) {
    this.name = name;
    this.making = making;
  }

  String name() {
    return name;
  }

  /** Counts one more, unless the first has its job already. */
  synchronized boolean join() {
    boolean open = answered == 0 && joined < MOST;
    joined += open ? 1 : 0;
    return open;
  }

  /**
   * Brings a token whose job is there. Blocks until the Secret is.
   *
   * @throws io.orrery.core.problem.ProblemException when it could not be made
   */
  void put(TokenHolder holder) throws Exception {
    answer(holder);
    Background.await(made);
  }

  /** There is no job that needs a token from here. */
  void leave() {
    answer(null);
  }

  private void answer(@Nullable TokenHolder holder) {
    if (isLast(holder)) {
      make();
    }
  }

  private synchronized boolean isLast(@Nullable TokenHolder holder) {
    answered++;
    if (holder != null) {
      holders.add(holder);
    }
    return answered == joined;
  }

  private void make() {
    try {
      if (!holders.isEmpty()) {
        making.accept(holders);
      }
      made.complete(null);
    } catch (Throwable e) { // those who wait must be told of an Error as well
      made.completeExceptionally(e);
    }
  }
}
