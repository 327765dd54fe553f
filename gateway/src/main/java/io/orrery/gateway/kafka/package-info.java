/**
 * Metrics in from a Kafka topic, events out to another. {@link
 * io.orrery.gateway.kafka.KafkaVerticle} is the door; it is deployed only where a broker is
 * configured, so that nothing of Kafka is loaded elsewhere. Nothing is committed to the broker
 * before the store has it.
 */
@NullMarked
package io.orrery.gateway.kafka;

import org.jspecify.annotations.NullMarked;
