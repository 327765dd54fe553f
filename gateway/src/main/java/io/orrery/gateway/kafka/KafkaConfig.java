package io.orrery.gateway.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of Kafka: brokers and topics.
 *
 * @param servers {@code host:port}, with commas between
 * @param metricsTopic whose records are lines of metrics
 * @param eventsTopic where experiments are told about
 * @param properties a file of further properties of Kafka's clients, for TLS and logins; null for
 *     none
 */
public record KafkaConfig(
    String servers, String metricsTopic, String eventsTopic, @Nullable Path properties) {
  /** Where records go that can never be taken. */
  String deadLetterTopic() {
    return metricsTopic + ".rejected";
  }

  /** What both kinds of clients are told: the file's properties, and above them ours. Blocks. */
  Map<String, String> client() throws IOException {
    Properties given = new Properties();
    if (properties != null) {
      try (Reader file = Files.newBufferedReader(properties, StandardCharsets.UTF_8)) {
        given.load(file);
      }
    }
    Map<String, String> all = new HashMap<>();
    given.forEach((name, value) -> all.put(name.toString(), value.toString()));
    all.put("bootstrap.servers", servers);
    return all;
  }
}
