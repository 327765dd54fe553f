package io.orrery.gateway.kafka;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import io.orrery.gateway.metric.Intake;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.kafka.client.consumer.KafkaConsumer;
import io.vertx.kafka.client.consumer.KafkaConsumerRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads lines of metrics from a topic. What one poll brings is stored together, then committed to
 * the broker, then the next poll is made: so the order of a partition is kept, and after any crash
 * what was not committed comes again and is recognised.
 *
 * <p>A record that can never be taken goes to the {@link DeadLetters}. When the store takes nothing
 * now, the partitions are paused, and the records are tried again until it does; polls go on
 * meanwhile, or the group would give the partitions to another consumer.
 */
final class KafkaIn {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaIn.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final byte[] NOTHING = {};

  private final Vertx vertx;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Intake intake;
  private final DeadLetters dead;
  private final Clock clock;
  private final Promise<Void> stopped = Promise.promise();
  private boolean paused;
  private boolean stopping;

  KafkaIn(
      Vertx vertx,
      KafkaConsumer<byte[], byte[]> consumer,
      Intake intake,
      DeadLetters dead,
      Clock clock) {
    this.vertx = vertx;
    this.consumer = consumer;
    this.intake = intake;
    this.dead = dead;
    this.clock = clock;
  }

  /** Begins to read, now and whenever the broker answers. */
  Future<Void> start(String topic) {
    return home(consumer.subscribe(topic)).onSuccess(subscribed -> next());
  }

  /** Completes when nothing is read or stored any more. */
  Future<Void> stop() {
    stopping = true;
    return stopped.future();
  }

  private void next() {
    if (stopping) {
      stopped.tryComplete();
      return;
    }
    poll(POLL)
        .onSuccess(records -> {
          if (records.isEmpty()) {
            next();
          } else {
            take(records);
          }
        })
        .onFailure(failure -> {
          LOG.warn("could not read metrics from Kafka, trying again: {}", failure.toString());
          clock.after(RETRY, this::next);
        });
  }

  private void take(List<ConsumerRecord<byte[], byte[]>> records) {
    store(records)
        .compose(stored -> {
          if (paused) {
            paused = false;
            return home(consumer.paused()).compose(all -> home(consumer.resume(all)));
          }
          return Future.succeededFuture();
        })
        .onSuccess(stored -> commit())
        .onFailure(failure -> hold(records, failure));
  }

  /** Stores records; when some can never be taken, halves them until those stand alone. */
  private Future<Void> store(List<ConsumerRecord<byte[], byte[]>> records) {
    return Future.succeededFuture()
        .compose(go -> intake.append(records.stream().map(KafkaIn::text).toList()))
        .<Void>mapEmpty()
        .recover(failure -> {
          Problem why = Problem.of(failure);
          if (mayPass(why)) {
            return Future.failedFuture(failure);
          }
          if (records.size() == 1) {
            return home(dead.put(records.getFirst(), why));
          }
          int half = records.size() / 2;
          return store(records.subList(0, half))
              .compose(stored -> store(records.subList(half, records.size())));
        });
  }

  /** A record without a value, which is how Kafka deletes a key, has no lines. */
  private static byte[] text(ConsumerRecord<byte[], byte[]> record) {
    return record.value() == null ? NOTHING : record.value();
  }

  private static boolean mayPass(Problem problem) {
    return switch (problem) {
      case Problem.Passing ignored -> true;
      case Problem.Broken ignored -> true;
      case Problem.Refused ignored -> false;
      case Problem.TooLarge ignored -> false;
      case Problem.Conflict ignored -> false;
      case Problem.NotFound ignored -> false;
      case Problem.Unauthorized ignored -> false;
      case Problem.Forbidden ignored -> false;
    };
  }

  private void commit() {
    home(consumer.commit())
        .onComplete((committed, failure) -> {
          if (failure != null) {
            LOG.info(
                "could not commit to Kafka, the records will be delivered again: {}",
                failure.toString());
          }
          next();
        });
  }

  private void hold(List<ConsumerRecord<byte[], byte[]>> records, Throwable failure) {
    if (!paused) {
      LOG.warn(
          "could not store {} records of metrics, trying again: {}",
          records.size(),
          failure instanceof ProblemException known
              ? known.problem().detail()
              : failure.toString());
    }
    paused = true;
    if (stopping) {
      stopped.tryComplete();
      return;
    }
    List<ConsumerRecord<byte[], byte[]>> held = new ArrayList<>(records);
    home(consumer.assignment())
        .compose(all -> home(consumer.pause(all)))
        .onComplete((done, cannot) ->
            clock.after(
                RETRY,
                // Brings something only from a partition that has just become ours.
                () ->
                    poll(Duration.ZERO)
                        .onSuccess(held::addAll)
                        .onComplete((more, away) -> take(held))));
  }

  private Future<List<ConsumerRecord<byte[], byte[]>>> poll(Duration patience) {
    return home(consumer.poll(patience)).map(KafkaIn::listed);
  }

  private static List<ConsumerRecord<byte[], byte[]>> listed(
      KafkaConsumerRecords<byte[], byte[]> polled) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(polled.size());
    polled.records().forEach(records::add);
    return records;
  }

  /** The client answers on a thread of its own. */
  private <T> Future<T> home(Future<T> answer) {
    Context home = vertx.getOrCreateContext();
    Promise<T> here = Promise.promise();
    answer.onComplete((AsyncResult<T> result) -> home.runOnContext(go -> here.handle(result)));
    return here.future();
  }
}
