package io.orrery.core.bus;

import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The typed event bus. Within a process records travel by reference; across a cluster {@link
 * WireCodec} carries them. Failures are typed as well: a handler's {@link Problem} arrives at the
 * caller as the same problem.
 *
 * <p>A handler runs on the context that registered it and is forgotten with its verticle.
 */
public final class Bus {
  private static final Logger LOG = LoggerFactory.getLogger(Bus.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final EventBus events;
  private final CallWatch watch;

  private Bus(EventBus events, CallWatch watch) {
    this.events = events;
    this.watch = watch;
  }

  /** The bus of a Vert.x instance. Registers the codec: once for each instance. */
  public static Bus of(Vertx vertx) {
    return of(vertx, CallWatch.NONE);
  }

  /** The same under somebody's eyes. */
  public static Bus of(Vertx vertx, CallWatch watch) {
    EventBus events = vertx.eventBus();
    events.registerCodec(new WireCodec());
    events.codecSelector(body -> body instanceof Record ? WireCodec.NAME : null);
    return new Bus(events, watch);
  }

  /**
   * Asks, and completes with the answer.
   *
   * @return fails with a {@link io.orrery.core.problem.ProblemException}: the handler's own
   *     problem, or Broken when nobody serves the address or no answer came within a minute
   */
  public <Q, A> Future<A> request(Address<Q, A> address, Q question) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(PATIENCE.toMillis());
    long asked = System.nanoTime();
    return events
        .<Answer>request(address.name(), question, options)
        .transform((message, failure) -> {
          if (failure != null) {
            return Future.failedFuture(undelivered(address, failure).toException());
          }
          return switch (message.body()) {
            case Answer.Given(Object value) -> Future.succeededFuture(address.answer().cast(value));
            case Answer.Declined(Problem problem) -> Future.<A>failedFuture(problem.toException());
          };
        })
        .onComplete((answer, failure) ->
            watch.answered(address.family(), failure, System.nanoTime() - asked));
  }

  /**
   * Serves an address.
   *
   * @param handler answers a question; a thrown exception is a failed answer
   * @return completes when the address can be reached
   */
  public <Q, A> Future<Subscription> serve(Address<Q, A> address, Function<Q, Future<A>> handler) {
    MessageConsumer<Object> consumer =
        events.consumer(
            address.name(),
            message ->
                answer(address, handler, message.body())
                    .onSuccess(value -> message.reply(new Answer.Given(value)))
                    .onFailure(failure -> {
                      Problem problem = Problem.of(failure);
                      if (problem instanceof Problem.Broken) {
                        LOG.error("{} failed", address.name(), failure);
                      }
                      message.reply(new Answer.Declined(problem));
                    }));
    return consumer.completion().map(done -> consumer::unregister);
  }

  /** Publishes an event to all that listen now. */
  public <E> void publish(Topic<E> topic, E event) {
    events.publish(topic.name(), event);
  }

  /** Listens to a topic. */
  public <E> Subscription listen(Topic<E> topic, Consumer<E> listener) {
    MessageConsumer<E> consumer =
        events.consumer(
            topic.name(), message -> listener.accept(topic.event().cast(message.body())));
    return consumer::unregister;
  }

  /** A registered handler. */
  @FunctionalInterface
  public interface Subscription {
    /** Takes the handler off the bus; completes when nothing reaches it any more. */
    Future<Void> cancel();
  }

  /** A handler that throws, or forgets its future, must not leave its caller waiting. */
  private static <Q, A> Future<A> answer(
      Address<Q, A> address, Function<Q, Future<A>> handler, @Nullable Object question) {
    try {
      return Objects.requireNonNull(
          handler.apply(address.question().cast(question)), "the handler returned no future");
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  private static Problem undelivered(Address<?, ?> address, Throwable failure) {
    if (failure instanceof ReplyException reply
        && reply.failureType() == ReplyFailure.NO_HANDLERS) {
      return new Problem.Broken("nobody serves " + address.name());
    }
    return Problem.of(failure);
  }
}
