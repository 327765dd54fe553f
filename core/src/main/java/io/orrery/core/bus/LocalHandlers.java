package io.orrery.core.bus;

import io.orrery.core.problem.Problem;
import io.orrery.core.trace.Spans;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of addresses in this process; those of one address take turns. A request goes
 * directly from the caller's context to the handler's, and the answer back. The event bus, which
 * would make a message, a reply address and a timer for each request, is for other processes.
 */
final class LocalHandlers {
  private static final long SWEEP_MILLIS = 5_000;

  private final Vertx vertx;
  private final Duration patience;
  private final Map<String, RoundRobin> turns = new ConcurrentHashMap<>();

  /** Questions that are under way, the oldest first. */
  private final Set<Call<?>> calls = new LinkedHashSet<>();

  /**
   * @param patience after which a question without an answer has failed, unless its address waits
   *     longer
   */
  LocalHandlers(Vertx vertx, Duration patience) {
    this.vertx = vertx;
    this.patience = patience;
    vertx.setPeriodic(SWEEP_MILLIS, sweep -> giveUp(System.nanoTime()));
  }

  /**
   * A handler of an address.
   *
   * @param home the context where that is done
   * @param there whether it still is
   */
  record LocalHandler(
      Context home,
      Function<@Nullable Object, ? extends Future<?>> handler,
      BooleanSupplier there) {}

  /** The handlers of one address. */
  private record RoundRobin(CopyOnWriteArrayList<LocalHandler> all, AtomicInteger asked) {
    @Nullable LocalHandler next() {
      Object[] now = all.toArray();
      int first = now.length < 2 ? 0 : Math.floorMod(asked.getAndIncrement(), now.length);
      for (int i = 0; i < now.length; i++) {
        LocalHandler next = (LocalHandler) now[(first + i) % now.length];
        if (next.there().getAsBoolean()) {
          return next;
        }
      }
      return null;
    }
  }

  private static final class Call<A> {
    private final String address;
    private final Context caller;
    private final Duration patience;
    private final long since = System.nanoTime();
    private final Promise<A> answer = Promise.promise();

    Call(String address, Context caller, Duration patience) {
      this.address = address;
      this.caller = caller;
      this.patience = patience;
    }
  }

  void add(String address, LocalHandler handler) {
    turns
        .computeIfAbsent(
            address, first -> new RoundRobin(new CopyOnWriteArrayList<>(), new AtomicInteger()))
        .all()
        .add(handler);
  }

  void remove(String address, LocalHandler handler) {
    turns.computeIfPresent(
        address,
        (name, turn) -> {
          turn.all().remove(handler);
          return turn.all().isEmpty() ? null : turn;
        });
  }

  /** Returns the handler whose turn it is; null when none here serves the address. */
  @Nullable LocalHandler next(String address) {
    RoundRobin turn = turns.get(address);
    return turn == null ? null : turn.next();
  }

  /**
   * Asks, and completes with the answer on the context that asked.
   *
   * @return fails with the handler's failure; as Broken when no answer came in time
   */
  <Q, A> Future<A> ask(LocalHandler handler, Address<Q, A> address, Q question) {
    Duration most = address.patience().compareTo(patience) > 0 ? address.patience() : patience;
    Call<A> call = new Call<>(address.name(), vertx.getOrCreateContext(), most);
    synchronized (calls) {
      calls.add(call);
    }
    Spans.Question spans = Spans.Question.begin(vertx, call.caller, address.family());
    Context there = spans == null ? handler.home() : spans.answerOn(handler.home());
    try {
      there.runOnContext(go -> {
        Future<A> answer =
            handler.handler().apply(question).map(value -> address.answer().cast(value));
        if (spans != null) {
          answer.onComplete(spans::answered);
        }
        answer.onComplete(
            (value, failure) -> call.caller.runOnContext(back -> answered(call, value, failure)));
      });
    } catch (RejectedExecutionException closed) {
      if (spans != null) {
        spans.answered(null, closed);
      }
      answered(call, null, closed);
    }
    return spans == null ? call.answer.future() : call.answer.future().onComplete(spans::received);
  }

  /**
   * Tells, and hears nothing of it: one task, and at most one thread to wake, where a question has
   * two. What one thread tells arrives in its order.
   *
   * @param heard called where it is heard, when everything is done that follows from it; with what
   *     failed, null when nothing did
   * @return false when no handler gets anything any more, because Vert.x has closed
   */
  static boolean tell(LocalHandler handler, Object word, Consumer<@Nullable Throwable> heard) {
    try {
      handler
          .home()
          .runOnContext(there ->
              handler.handler().apply(word).onComplete((done, failure) -> heard.accept(failure)));
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }

  private <A> void answered(Call<A> call, @Nullable A value, @Nullable Throwable failure) {
    synchronized (calls) {
      calls.remove(call);
    }
    if (failure == null) {
      call.answer.tryComplete(value);
    } else {
      call.answer.tryFail(failure);
    }
  }

  /** A handler that forgets a question must not leave its caller waiting. */
  void giveUp(long now) {
    synchronized (calls) {
      Iterator<Call<?>> oldest = calls.iterator();
      while (oldest.hasNext()) {
        Call<?> call = oldest.next();
        if (now - call.since < patience.toNanos()) {
          return;
        }
        if (now - call.since < call.patience.toNanos()) {
          continue;
        }
        oldest.remove();
        call.caller.runOnContext(late -> call.answer.tryFail(unanswered(call).toException()));
      }
    }
  }

  private static Problem unanswered(Call<?> call) {
    return new Problem.Broken(
        "%s gave no answer within %d s".formatted(call.address, call.patience.toSeconds()));
  }
}
