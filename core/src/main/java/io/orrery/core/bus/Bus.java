package io.orrery.core.bus;

import io.orrery.core.bus.LocalHandlers.LocalHandler;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The typed event bus. Within a process records travel by reference, from context to context (see
 * {@link LocalHandlers}); across a cluster {@link WireCodec} carries them. Failures are typed as
 * well: a handler's {@link Problem} arrives at the caller as the same problem.
 *
 * <p>In a cluster a question goes to this process when it serves the address, and to any other that
 * does when not. Only records of {@code core} go from process to process: what the parts of a
 * module say to each other stays where it is said.
 *
 * <p>A handler runs on the context that registered it and is forgotten with its verticle.
 */
public final class Bus {
  private static final Logger LOG = LoggerFactory.getLogger(Bus.class);
  private static final String VOCABULARY = "io.orrery.core.";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** After which a process that is missing may be there again. */
  private static final Duration SOON = Duration.ofSeconds(2);

  private final Vertx vertx;
  private final EventBus events;
  private final LocalHandlers local;
  private final boolean clustered;
  private final CallWatch watch;
  private final BooleanSupplier entitled;

  private Bus(Vertx vertx, LocalHandlers local, CallWatch watch, BooleanSupplier entitled) {
    this.vertx = vertx;
    this.events = vertx.eventBus();
    this.local = local;
    this.clustered = vertx.isClustered();
    this.watch = watch;
    this.entitled = entitled;
  }

  /** The bus of a Vert.x instance. Registers the codec: once for each instance. */
  public static Bus of(Vertx vertx) {
    return of(vertx, CallWatch.NONE);
  }

  /** The same, with calls observed by a watch. */
  public static Bus of(Vertx vertx, CallWatch watch) {
    EventBus events = vertx.eventBus();
    events.registerCodec(new WireCodec());
    events.codecSelector(body -> body instanceof Record ? WireCodec.NAME : null);
    return new Bus(vertx, new LocalHandlers(vertx, PATIENCE), watch, () -> true);
  }

  /**
   * The same for a handler that may answer only while it is entitled to, by a lease for instance:
   * an answer that is ready when it is not any more is Busy instead.
   */
  public Bus entitledBy(BooleanSupplier entitled) {
    return new Bus(vertx, local, watch, entitled);
  }

  /**
   * Asks, and completes with the answer.
   *
   * @return fails with a {@link io.orrery.core.problem.ProblemException}: the handler's own
   *     problem; Broken when no handler serves the address or no answer came within a minute, or
   *     within the patience of the address if that is longer; where servers share their work
   *     Unavailable then, with the role that is missing
   */
  public <Q, A> Future<A> request(Address<Q, A> address, Q question) {
    long asked = System.nanoTime();
    LocalHandler near = local.next(address.name());
    Future<A> answer =
        near == null ? askElsewhere(address, question) : local.ask(near, address, question);
    return answer.onComplete(
        (given, failure) -> watch.answered(address.family(), failure, System.nanoTime() - asked));
  }

  /**
   * Delivers a message to the handler of an address in this process, and does not wait for its
   * result. From any thread; what one thread tells arrives in its order. Not watched: news are
   * many.
   *
   * @return whether a handler here serves the address
   */
  public <Q> boolean tellHere(Address<Q, ?> address, Q word) {
    LocalHandler near = local.next(address.name());
    return near != null && LocalHandlers.tell(near, word, failure -> {});
  }

  /**
   * Delivers an order to the handler of an address in this process: like news, but watched like a
   * question, though no caller waits for the answer.
   *
   * @return whether a handler here serves the address
   */
  public <Q> boolean orderHere(Address<Q, ?> address, Q order) {
    long given = System.nanoTime();
    LocalHandler near = local.next(address.name());
    return near != null
        && LocalHandlers.tell(
            near,
            order,
            failure -> watch.answered(address.family(), failure, System.nanoTime() - given));
  }

  private <Q, A> Future<A> askElsewhere(Address<Q, A> address, Q question) {
    DeliveryOptions options = new DeliveryOptions();
    if (clustered && travels(address)) {
      options.setSendTimeout(address.patience().toMillis());
    } else {
      options.setLocalOnly(true);
    }
    return events
        .<Answer>request(address.name(), question, options)
        .transform((message, failure) -> {
          if (failure != null) {
            return Future.failedFuture(
                new ProblemException(undelivered(address, failure), failure));
          }
          return switch (message.body()) {
            case Answer.Given(Object value) -> Future.succeededFuture(address.answer().cast(value));
            case Answer.Declined(Problem problem) -> Future.<A>failedFuture(problem.toException());
          };
        });
  }

  private static boolean travels(Address<?, ?> address) {
    return travels(address.question()) && travels(address.answer());
  }

  private static boolean travels(Class<?> record) {
    return record.getName().startsWith(VOCABULARY);
  }

  /**
   * Serves an address.
   *
   * @param handler answers a question; a thrown exception is a failed answer
   * @return completes when the address can be reached
   */
  public <Q, A> Future<Subscription> serve(Address<Q, A> address, Function<Q, Future<A>> handler) {
    Function<@Nullable Object, Future<A>> answering =
        question ->
            answer(address, handler, question)
                .compose(this::whileEntitled)
                .recover(failure -> {
                  Problem problem = Problem.of(failure);
                  if (problem instanceof Problem.Broken) {
                    LOG.error("could not answer a request to {}", address.name(), failure);
                  }
                  return Future.failedFuture(problem.toException());
                });
    Handler<Message<Object>> replying =
        message ->
            answering
                .apply(message.body())
                .onSuccess(value -> message.reply(new Answer.Given(value)))
                .onFailure(failure -> message.reply(new Answer.Declined(Problem.of(failure))));
    MessageConsumer<Object> consumer =
        travels(address)
            ? events.consumer(address.name(), replying)
            : events.localConsumer(address.name(), replying);
    LocalHandler self =
        new LocalHandler(vertx.getOrCreateContext(), answering, consumer::isRegistered);
    local.add(address.name(), self);
    consumer.endHandler(end -> local.remove(address.name(), self));
    return consumer
        .completion()
        .map(done ->
            () -> {
              local.remove(address.name(), self);
              return consumer.unregister();
            });
  }

  private <A> Future<A> whileEntitled(A answer) {
    return entitled.getAsBoolean()
        ? Future.succeededFuture(answer)
        : Future.failedFuture(
            new Problem.Busy("another server answers this now", Duration.ofSeconds(1))
                .toException());
  }

  /** Publishes an event to all that listen now. */
  public <E> void publish(Topic<E> topic, E event) {
    events.publish(topic.name(), event);
  }

  /** The same to those of this process alone. */
  public <E> void publishHere(Topic<E> topic, E event) {
    events.publish(topic.name(), event, new DeliveryOptions().setLocalOnly(true));
  }

  /** Listens to a topic. */
  public <E> Subscription listen(Topic<E> topic, Consumer<E> listener) {
    Handler<Message<E>> listening = message -> listener.accept(topic.event().cast(message.body()));
    MessageConsumer<E> consumer =
        travels(topic.event())
            ? events.consumer(topic.name(), listening)
            : events.localConsumer(topic.name(), listening);
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

  private Problem undelivered(Address<?, ?> address, Throwable failure) {
    boolean unserved = hasNoHandlers(failure);
    if (clustered && travels(address) && failure instanceof ReplyException) {
      return new Problem.Unavailable(
          unserved ? absent(address) : silent(address, failure.getMessage()), SOON);
    }
    return unserved
        ? new Problem.Broken("no handler serves " + address.name())
        : Problem.of(failure);
  }

  private static String absent(Address<?, ?> address) {
    boolean ofAnOwner = !address.family().equals(address.name());
    return ServerRole.answering(address)
        .filter(role -> !ofAnOwner)
        .map(role ->
            "No server with the role %s is there: start one, with --roles %s or without --roles."
                .formatted(role.word(), role.word()))
        .orElse("The server that answers " + address.name() + " is not there any more.");
  }

  private static String silent(Address<?, ?> address, @Nullable String why) {
    return "The server that answers %s does not: %s".formatted(address.name(), why);
  }

  /**
   * Whether a request has failed because no handler serves its address at the moment: one may be
   * about to come, or has gone.
   */
  public static boolean isUnserved(Throwable failure) {
    return hasNoHandlers(failure)
        || (failure instanceof ProblemException && hasNoHandlers(failure.getCause()));
  }

  /**
   * Whether a request has failed because its address is served by no server, now and later: where
   * servers share their work, the one that serves it may be away for a moment.
   */
  public static boolean isNowhere(Throwable failure) {
    return isUnserved(failure) && !(Problem.of(failure) instanceof Problem.Unavailable);
  }

  private static boolean hasNoHandlers(@Nullable Throwable failure) {
    return failure instanceof ReplyException reply
        && reply.failureType() == ReplyFailure.NO_HANDLERS;
  }
}
