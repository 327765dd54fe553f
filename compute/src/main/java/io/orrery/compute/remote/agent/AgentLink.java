package io.orrery.compute.remote.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.remote.agent.Frame.Kind;
import io.orrery.core.json.Json;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link to an agent that runs: orders go there, calls of keepers come from there, each with a
 * number of its own, many at once. Over when either side hangs up, or says what is no frame. Thread
 * safe.
 */
public final class AgentLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentLink.class);

  /** Fewer than an agent takes. */
  private static final int ORDERS_AT_ONCE = 64;

  /** Every keeper has one that is held back, and there may be hundreds. */
  private static final int CALLS_AT_ONCE = 4_096;

  /** The bytes of calls that are under way; one that is longer than what is left waits. */
  private static final int BYTES_AT_ONCE = 32 << 20;

  private static final int MOST_ANSWER = 2 << 20;

  private final InputStream from;
  private final AgentFrameReader reader;
  private final FrameWriter writer;
  private final KeeperCalls calls;
  private final AutoCloseable channel;
  private final Semaphore turns = new Semaphore(ORDERS_AT_ONCE, true);
  private final Semaphore callers = new Semaphore(CALLS_AT_ONCE);
  private final Semaphore bytes = new Semaphore(BYTES_AT_ONCE);
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, CompletableFuture<OrderOutcome>> orders = new ConcurrentHashMap<>();
  private final Map<Integer, Promise<Void>> present = new ConcurrentHashMap<>();
  private final CompletableFuture<ObjectNode> hello = new CompletableFuture<>();
  private volatile boolean over;

  private AgentLink(
      InputStream from, OutputStream to, KeeperCalls calls, AutoCloseable channel, String name) {
    this.from = from;
    this.reader = new AgentFrameReader(from);
    this.writer = new FrameWriter(to, this::fail);
    this.calls = calls;
    this.channel = channel;
    Thread.ofVirtual().name("agent-" + name + "-in").start(this::listen);
    Thread.ofVirtual().name("agent-" + name + "-out").start(writer::run);
  }

  /**
   * Waits for an agent that has just been started.
   *
   * @param from what it says
   * @param to what it hears
   * @param channel closed with this
   * @param name of its machine
   * @param limit for its first frame
   * @throws IOException when there is none
   */
  public static AgentLink open(
      InputStream from,
      OutputStream to,
      KeeperCalls calls,
      AutoCloseable channel,
      String name,
      Duration limit)
      throws IOException, InterruptedException {
    AgentLink link = new AgentLink(from, to, calls, channel, name);
    try {
      link.hello.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return link;
    } catch (TimeoutException e) {
      link.close();
      throw new BrokenLinkException("its agent did not begin within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      link.close();
      throw BrokenLinkException.because(e);
    } catch (InterruptedException e) {
      link.close();
      throw e;
    }
  }

  /** The path of its socket on its machine, which keepers call; null when there is none. */
  public @Nullable String socket() {
    ObjectNode said = hello.getNow(Json.MAPPER.createObjectNode());
    return said.hasNonNull("socket") ? said.get("socket").asText() : null;
  }

  /** Whether it can be asked. */
  public boolean isOpen() {
    return !over;
  }

  /**
   * Has the agent do something; blocks.
   *
   * @throws IOException when it does not answer, or goes before it has: it may have done it
   */
  public OrderOutcome ask(ObjectNode order, Duration limit)
      throws IOException, InterruptedException {
    byte[] text = new Headed(order, new byte[0]).payload();
    if (text.length > Frame.MOST) {
      throw new BrokenLinkException("an order of " + text.length + " bytes is too long");
    }
    long end = System.nanoTime() + limit.toNanos();
    if (!turns.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new BrokenLinkException("its agent has too much under way");
    }
    int number = numbers.incrementAndGet();
    CompletableFuture<OrderOutcome> answer = new CompletableFuture<>();
    orders.put(number, answer);
    try {
      if (over) {
        throw new BrokenLinkException("its agent has ended");
      }
      writer.write(new Frame(Kind.DO, number, text).bytes());
      return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // It stands still, or its answer is lost: the next caller is not to wait for it.
      fail(new BrokenLinkException("its agent did not answer within " + limit.toSeconds() + " s"));
      throw new BrokenLinkException("its agent did not answer within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw BrokenLinkException.because(e);
    } finally {
      orders.remove(number);
      turns.release();
    }
  }

  // ---- what it says --------------------------------------------------------------------------

  private void listen() {
    try {
      reader.awaitMark();
      while (!over) {
        Frame frame = reader.read();
        switch (frame.kind()) {
          case HELLO -> hello.complete(Headed.of(frame.payload()).head());
          case DONE -> done(frame);
          case CALL -> call(frame);
          case LEFT -> left(frame.number());
          case DO, ANSWER -> throw new BrokenLinkException("its agent sent an order");
        }
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
    }
  }

  private void done(Frame frame) throws BrokenLinkException {
    CompletableFuture<OrderOutcome> waiting = orders.get(frame.number());
    if (waiting != null) {
      String text = new String(frame.payload(), StandardCharsets.UTF_8);
      // Read while it is known: what is no answer ends the link, with all that waits.
      OrderOutcome outcome = OrderOutcome.of(Headed.object(text));
      orders.remove(frame.number());
      waiting.complete(outcome);
    }
  }

  private void left(int number) {
    Promise<Void> caller = present.get(number);
    if (caller != null) {
      caller.tryComplete();
    }
  }

  private void call(Frame frame) throws IOException, InterruptedException {
    KeeperCall call = KeeperCall.of(Headed.of(frame.payload()));
    if (call == null) {
      answer(frame.number(), KeeperAnswer.noCall());
      return;
    }
    int length = Math.max(1, call.body().length());
    // Nothing more is read until there is room: the agent lets its callers wait then.
    callers.acquire();
    bytes.acquire(length);
    Promise<Void> left = Promise.promise();
    if (present.put(frame.number(), left) != null) {
      throw new BrokenLinkException("its agent used a number twice");
    }
    calls
        .answer(call, left.future())
        .onComplete(answered -> {
          present.remove(frame.number());
          callers.release();
          bytes.release(length);
          if (!left.future().isComplete()) {
            answer(
                frame.number(), answered.succeeded() ? answered.result() : KeeperAnswer.notNow());
          }
        });
  }

  /** Does not block: the writer drops the body where too much waits to be sent. */
  private void answer(int number, KeeperAnswer answer) {
    KeeperAnswer fitting =
        answer.body().length() > MOST_ANSWER
            ? KeeperAnswer.byPort()
            : writer.isFull() ? KeeperAnswer.notNow() : answer;
    ObjectNode head = Json.MAPPER.createObjectNode().put("status", fitting.status());
    byte[] payload = new Headed(head, fitting.body().getBytes()).payload();
    writer.write(new Frame(Kind.ANSWER, number, payload).bytes());
  }

  // ---- its end -------------------------------------------------------------------------------

  private void fail(Exception cause) {
    boolean news = !over;
    over = true;
    BrokenLinkException why =
        cause instanceof BrokenLinkException broken
            ? broken
            : new BrokenLinkException("its agent has ended");
    hello.completeExceptionally(why);
    orders.values().forEach(waiting -> waiting.completeExceptionally(why));
    present.values().forEach(Promise::tryComplete);
    writer.close();
    if (news) {
      release();
    }
  }

  private void release() {
    try {
      channel.close();
      from.close();
    } catch (Exception e) { // as AutoCloseable declares it
      LOG.debug("could not close the channel of an agent", e);
    }
  }

  @Override
  public void close() {
    fail(new BrokenLinkException("its agent was left"));
  }
}
