package io.orrery.benchmarks.ingest;

import io.orrery.journeys.KafkaBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Records for a broker in this process, one batch each. A point counts as durable when the server
 * has committed its record, which is asked for every few milliseconds. So that a wait is that of
 * the server and not that of a queue, only so many points are on their way.
 */
final class KafkaLoad implements IngestLoad {
  private static final String TOPIC = "orrery.metrics";
  private static final String GROUP = "orrery";
  private static final long LOOK_NANOS = 10_000_000;

  /** Points that the broker has and the server has not committed. */
  private static final int MOST_OPEN = 50_000;

  /** A burst: how many records there are with its last one, and when that left. */
  private record Burst(long records, long sentAt) {}

  private final List<LineBatch> lines;
  private final int batch;
  private final IngestTally tally;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicLong taken = new AtomicLong();
  private final Deque<Burst> open = new ArrayDeque<>();
  private long records;
  private long committed;
  private long counted;

  KafkaLoad(KafkaBroker broker, List<LineBatch> lines, IngestTally tally) {
    this.lines = List.copyOf(lines);
    this.batch = lines.getFirst().batch();
    this.tally = tally;
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.address(), "acks", "all", "linger.ms", "5"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void run(Duration time) throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      send();
      look();
    }
  }

  private void send() throws InterruptedException {
    long until = System.nanoTime() + LOOK_NANOS;
    while (System.nanoTime() < until) {
      if ((records - committed) * batch >= MOST_OPEN) {
        Thread.sleep(1);
        continue;
      }
      LineBatch next = lines.get((int) (records++ % lines.size()));
      byte[] key = {(byte) (records % lines.size())};
      producer.send(
          new ProducerRecord<>(TOPIC, key, next.next().clone()),
          (done, failure) -> {
            if (failure == null) {
              taken.incrementAndGet();
            }
          });
    }
    open.add(new Burst(records, System.nanoTime()));
  }

  private void look() throws IOException, InterruptedException {
    try {
      committed =
          admin
              .listConsumerGroupOffsets(GROUP)
              .partitionsToOffsetAndMetadata()
              .get()
              .values()
              .stream()
              .mapToLong(OffsetAndMetadata::offset)
              .sum();
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
    while (!open.isEmpty() && open.getFirst().records() <= committed) {
      Burst done = open.removeFirst();
      long before = counted;
      counted = done.records();
      tally.add((done.records() - before) * batch, System.nanoTime() - done.sentAt());
    }
  }

  @Override
  public void finish() throws IOException, InterruptedException {
    tally.end();
    producer.flush();
    while (committed < taken.get()) {
      look();
    }
  }

  @Override
  public long sent() {
    return taken.get() * batch;
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
    admin.close(Duration.ofSeconds(5));
  }
}
