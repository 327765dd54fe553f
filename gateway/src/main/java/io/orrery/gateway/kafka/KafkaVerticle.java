package io.orrery.gateway.kafka;

import io.orrery.core.bus.Bus;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.metric.Intake;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.kafka.client.consumer.KafkaConsumer;
import io.vertx.kafka.client.producer.KafkaProducer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The verticle for metrics from Kafka and events to Kafka. It is deployed once, and starts without
 * a broker: it connects when one answers. Several servers that read one topic share its partitions.
 */
public final class KafkaVerticle extends VerticleBase {
  private static final String GROUP = "orrery";
  private static final long FAREWELL_SECONDS = 3;

  /** Records in one poll: what is stored together and committed once. */
  private static final int MOST_RECORDS = 10_000;

  private record Clients(
      KafkaConsumer<byte[], byte[]> consumer, KafkaProducer<byte[], byte[]> producer) {}

  private final KafkaConfig config;
  private final Bus bus;
  private final MetricSink sink;
  private final Clock clock;
  private @Nullable KafkaIn in;
  private @Nullable KafkaOut out;
  private @Nullable Clients clients;

  public KafkaVerticle(KafkaConfig config, Bus bus, MetricSink sink, Clock clock) {
    this.config = config;
    this.bus = bus;
    this.sink = sink;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    // Its clients look names up, and load a thousand classes, while they are made.
    return vertx
        .executeBlocking(this::connect)
        .compose(made -> {
          clients = made;
          DeadLetters dead = new DeadLetters(made.producer(), config.deadLetterTopic());
          in = new KafkaIn(vertx, made.consumer(), new Intake(bus, sink, clock), dead, clock);
          out = new KafkaOut(bus, made.producer(), config.eventsTopic());
          return Future.all(in.start(config.metricsTopic()), out.start());
        });
  }

  private Clients connect() {
    try {
      Map<String, String> consumer = new HashMap<>(config.client());
      consumer.putIfAbsent("group.id", GROUP);
      consumer.putIfAbsent("auto.offset.reset", "earliest");
      consumer.putIfAbsent("max.poll.records", Integer.toString(MOST_RECORDS));
      consumer.put("enable.auto.commit", "false");
      Map<String, String> producer = new HashMap<>(config.client());
      producer.put("acks", "all");
      ByteArrayDeserializer bytes = new ByteArrayDeserializer();
      ByteArraySerializer text = new ByteArraySerializer();
      return new Clients(
          KafkaConsumer.create(vertx, consumer, bytes, bytes),
          KafkaProducer.create(vertx, producer, text, text));
    } catch (IOException | KafkaException e) {
      Throwable cause = e.getCause();
      throw new Problem.Refused(
              new Finding(
                  "/kafka",
                  "kafka cannot be used: "
                      + e.getMessage()
                      + (cause == null ? "" : ": " + cause.getMessage())))
          .toException();
    }
  }

  @Override
  public Future<?> stop() {
    if (out != null) {
      out.stop();
    }
    Clients made = clients;
    return in == null || made == null
        ? Future.succeededFuture()
        : in.stop()
            .eventually(made.consumer()::close)
            .eventually(() -> made.producer().close())
            // A broker that does not answer must not keep a server from going.
            .timeout(FAREWELL_SECONDS, TimeUnit.SECONDS)
            .otherwiseEmpty();
  }
}
