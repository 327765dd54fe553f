package io.orrery.gateway.metric;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.metric.wire.PlainFrames;
import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines that come over a WebSocket, one or many a frame. What arrives while a batch is being made
 * durable is the next batch; so the slower the disk, the larger the batches. Small ones wait for
 * the next of the {@link StreamFlush}, in which the batches of all streams go together. When too
 * much waits the socket is not read.
 *
 * <p>The client is told how many of its lines are durable: {@code {"ack": n}}, counted from the
 * beginning of the connection: at once when it may be waiting for that or a result is among them,
 * and later when its {@link AcknowledgementDelay} is known. A bad line ends it, after everything
 * before its frame is durable: {@code {"error": {"line": n, "message": …}}}.
 */
final class MetricStream implements PlainFrames.Taker {
  private static final int MOST_WAITING = 20_000;

  /** Lines that are worth a sync by themselves. */
  private static final int ENOUGH = 500;

  /** Lines a second of which those of a tenth of a second can be taken at once. */
  private static final int FEW = 50;

  private static final short GOING_AWAY = 1001;
  private static final short POLICY = 1008;
  private static final short OUR_FAULT = 1011;

  private final ServerWebSocket socket;
  private final @Nullable PlainFrames plain;
  private final Intake intake;
  private final Clock clock;
  private final @Nullable AttemptRef sender;
  private final FrameReader frames;
  private final StreamFlush rounds;
  private final Runnable turn = this::hand;
  private final AcknowledgementDelay patience = new AcknowledgementDelay();

  /** The message whose frames are coming; null between two. */
  private @Nullable BatchReader message;

  /** The bytes of that message so far. */
  private int messageBytes;

  private List<MetricLine> waiting = new ArrayList<>();
  private int nextLine = 1;

  /** Lines that have come. */
  private long taken;

  private long durable;

  /** The number of durable lines that the client was last told. */
  private long told;

  /** The number of lines that had come at the last tick. */
  private long seen;

  /** The time at which the lines under way came, in epoch milliseconds; 0 for none. */
  private long came;

  private boolean paused;
  private boolean joined;
  private boolean writing;
  private boolean over;
  private @Nullable Throwable refusal;

  /**
   * @param connection that has become the socket, and whose plain frames need not take its way
   * @param sender as {@link Intake#append} takes it
   */
  MetricStream(
      HttpConnection connection,
      PlainFrames.LoopState desk,
      ServerWebSocket socket,
      Intake intake,
      FrameReader frames,
      StreamFlush rounds,
      Clock clock,
      @Nullable AttemptRef sender) {
    this.sender = sender;
    this.frames = frames;
    this.rounds = rounds;
    this.socket = socket;
    this.intake = intake;
    this.clock = clock;
    // Binary frames are read as text: many clients send whatever is not a string as binary.
    socket.frameHandler(this::take);
    socket.drainHandler(drained -> writable());
    socket.exceptionHandler(gone -> over = true);
    this.plain = PlainFrames.read(connection, desk, this);
  }

  /** Ends the stream because the server closes. */
  void goAway() {
    say();
    over = true;
    if (plain != null) {
      plain.atLeisure(false);
    }
    socket.close(GOING_AWAY);
  }

  @Override
  public void take(byte[] bytes, int from, int to) {
    take(now(), () -> nextLine = frames.read(bytes, from, to, now(), nextLine, waiting));
  }

  private long now() {
    if (came == 0) {
      came = clock.millis();
    }
    return came;
  }

  @Override
  public void taken() {
    came = 0;
    next();
  }

  /**
   * Once a second.
   *
   * @param many whether there are so many streams that to read each at once takes too much
   */
  void look(boolean many) {
    if (durable > told && patience.look(durable - told, taken)) {
      say();
    }
    if (plain != null) {
      plain.atLeisure(many && !over && taken - seen <= FEW && patience.sendsOn() && hasTime());
    }
    seen = taken;
  }

  /** Acknowledges what is durable before a ping or a close is answered. */
  @Override
  public void control() {
    say();
  }

  @Override
  public void writable() {
    tell();
  }

  private void take(WebSocketFrame frame) {
    if (frame.isText() || frame.isBinary() || frame.isContinuation()) {
      long now = clock.millis();
      take(now, () -> read(frame, now));
      next();
    } else {
      control();
    }
  }

  private void take(long now, Runnable reading) {
    if (refusal != null || over) {
      return;
    }
    patience.cameWith(durable - told, now);
    int before = waiting.size();
    try {
      reading.run();
    } catch (ProblemException e) {
      refusal = e;
    }
    taken += waiting.size() - before;
    if (waiting.size() > MOST_WAITING) {
      pause();
    }
  }

  private void pause() {
    paused = true;
    socket.pause();
    if (plain != null) {
      plain.pause();
    }
  }

  private void resume() {
    if (!paused) {
      return;
    }
    paused = false;
    socket.resume();
    if (plain != null) {
      plain.resume();
    }
  }

  private void read(WebSocketFrame frame, long now) {
    if (message == null && frame.isFinal()) {
      nextLine = frames.read(frame.binaryData(), now, nextLine, waiting);
      return;
    }
    // Vert.x counts only what it puts together itself.
    messageBytes += frame.binaryData().length();
    if (messageBytes > EdgeOptions.MOST_MESSAGE_BYTES) {
      throw new Problem.TooLarge(
              "A message may have "
                  + EdgeOptions.MOST_MESSAGE_BYTES
                  + " bytes here, this one has more.")
          .toException();
    }
    BatchReader reader = message == null ? frames.reader(now, nextLine) : message;
    reader.take(frame.binaryData());
    message = frame.isFinal() ? null : reader;
    if (frame.isFinal()) {
      messageBytes = 0;
      waiting.addAll(reader.lines());
      nextLine = reader.number();
    }
  }

  private void next() {
    if (writing || over) {
      return;
    }
    if (waiting.size() >= ENOUGH || (refusal != null && !waiting.isEmpty())) {
      hand();
    } else if (!waiting.isEmpty()) {
      if (!joined) {
        joined = true;
        rounds.join(turn, hasTime());
      }
    } else if (refusal != null) {
      refuse(refusal);
    }
  }

  private void hand() {
    joined = false;
    if (writing || over || waiting.isEmpty()) {
      return;
    }
    writing = true;
    List<MetricLine> batch = waiting;
    waiting = new ArrayList<>();
    resume();
    write(batch);
  }

  private void write(List<MetricLine> batch) {
    append(batch)
        .onComplete((receipt, failure) -> {
          if (failure == null) {
            writing = false;
            durable += batch.size();
            if (holdResult(batch)) {
              say();
            } else {
              tell();
            }
            next();
          } else {
            failed(batch, failure);
          }
        });
  }

  private void failed(List<MetricLine> batch, Throwable failure) {
    switch (Problem.of(failure)) {
      case Problem.Passing passing -> clock.after(passing.retryAfter(), () -> write(batch));
      case Problem.Refused _,
          Problem.NotFound _,
          Problem.Conflict _,
          Problem.Unauthorized _,
          Problem.Forbidden _,
          Problem.TooLarge _,
          Problem.Broken _ ->
          refuse(failure);
    }
  }

  private Future<MetricSink.Receipt> append(List<MetricLine> batch) {
    try {
      return intake.append(batch, sender);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** The last line of many a trial, which ends when that is durable. */
  private static boolean holdResult(List<MetricLine> lines) {
    for (MetricLine line : lines) {
      if (line.kind() == MetricKind.FINAL) {
        return true;
      }
    }
    return false;
  }

  /** Whether no client waits for what is pending to become durable. */
  private boolean hasTime() {
    return patience.allows(durable - told + waiting.size(), taken) && !holdResult(waiting);
  }

  private void tell() {
    if (!patience.allows(durable - told, taken)) {
      say();
    }
  }

  /** A client that does not read is told later: the last number includes all before it. */
  private void say() {
    if (durable > told && !over && !socket.writeQueueFull() && !(plain != null && plain.isFull())) {
      told = durable;
      patience.told(clock.millis());
      String answer = "{\"ack\":" + told + "}";
      if (plain == null || !plain.write(answer)) {
        socket.writeTextMessage(answer);
      }
    }
  }

  private void refuse(Throwable failure) {
    say();
    over = true;
    Problem problem = Problem.of(failure);
    Finding finding =
        problem instanceof Problem.Refused(String detail, List<Finding> findings)
                && !findings.isEmpty()
            ? findings.getFirst()
            : null;
    boolean ours = problem instanceof Problem.Broken;
    ObjectNode answer = Json.MAPPER.createObjectNode();
    answer
        .putObject("error")
        .put("line", finding == null ? null : finding.line())
        .put(
            "message",
            ours
                ? "The server could not store this."
                : finding == null ? problem.detail() : finding.message());
    socket
        .writeTextMessage(Json.write(answer))
        .onComplete(sent -> socket.close(ours ? OUR_FAULT : POLICY));
  }
}
