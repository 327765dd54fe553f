package io.orrery.gateway.kafka;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import io.vertx.kafka.client.producer.KafkaProducer;
import io.vertx.kafka.client.producer.KafkaProducerRecord;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * The dead-letter topic for records that are invalid: each is sent unchanged, with the reason in
 * the header {@code reason} and its place in {@code topic}, {@code partition} and {@code offset},
 * so that an operator can fix and resend it.
 */
final class DeadLetters {
  /** It may quote the record. */
  private static final int LONGEST_REASON = 1_000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  DeadLetters(KafkaProducer<byte[], byte[]> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  /** Completes when the broker has it; without its value when that is too long with the reason. */
  Future<Void> put(ConsumerRecord<byte[], byte[]> record, Problem why) {
    return put(record, record.value(), why)
        .recover(failure ->
            failure instanceof RecordTooLargeException
                ? put(record, null, why)
                : Future.failedFuture(failure));
  }

  private Future<Void> put(
      ConsumerRecord<byte[], byte[]> record, byte @Nullable [] value, Problem why) {
    KafkaProducerRecord<byte[], byte[]> letter =
        KafkaProducerRecord.create(topic, record.key(), value);
    letter.addHeader("reason", reason(why));
    letter.addHeader("topic", record.topic());
    letter.addHeader("partition", Integer.toString(record.partition()));
    letter.addHeader("offset", Long.toString(record.offset()));
    return producer.send(letter).mapEmpty();
  }

  private static String reason(Problem why) {
    String reason =
        why instanceof Problem.Refused refused && !refused.findings().isEmpty()
            ? refused.findings().stream().map(Finding::text).collect(Collectors.joining("; "))
            : why.detail();
    return reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
  }
}
