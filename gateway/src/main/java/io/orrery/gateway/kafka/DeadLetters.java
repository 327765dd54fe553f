package io.orrery.gateway.kafka;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.kafka.client.producer.KafkaProducer;
import io.vertx.kafka.client.producer.KafkaProducerRecord;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Where records go that can never be taken, as they were, with the reason in the header {@code
 * reason} and their place in {@code topic}, {@code partition} and {@code offset}: whoever mends
 * them can send them again.
 */
final class DeadLetters {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  DeadLetters(KafkaProducer<byte[], byte[]> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  /** Completes when the broker has it. */
  Future<Void> put(ConsumerRecord<byte[], byte[]> record, Problem why) {
    KafkaProducerRecord<byte[], byte[]> letter =
        KafkaProducerRecord.create(topic, record.key(), record.value());
    letter.addHeader("reason", reason(why));
    letter.addHeader("topic", record.topic());
    letter.addHeader("partition", Integer.toString(record.partition()));
    letter.addHeader("offset", Long.toString(record.offset()));
    return producer.send(letter).mapEmpty();
  }

  private static String reason(Problem why) {
    return why instanceof Problem.Refused refused && !refused.findings().isEmpty()
        ? refused.findings().stream().map(Finding::text).collect(Collectors.joining("; "))
        : why.detail();
  }
}
