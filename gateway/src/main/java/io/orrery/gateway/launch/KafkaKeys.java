package io.orrery.gateway.launch;

import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.kafka.KafkaConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of the configuration for metrics and events over Kafka. */
final class KafkaKeys {
  private static final ConfigKey<String> SERVERS =
      ConfigKey.text(
          "kafka.bootstrapServers",
          null,
          "host:port, several with commas between",
          "The Kafka brokers that metrics are read from and events told to; none when it is not"
              + " set.");

  private static final ConfigKey<String> METRICS_TOPIC =
      ConfigKey.text(
          "kafka.metricsTopic",
          "orrery.metrics",
          "the name of a topic",
          "Its records are lines as POST /api/v1/metrics takes them; what can never be taken goes"
              + " to the topic of this name and .rejected.");

  private static final ConfigKey<String> EVENTS_TOPIC =
      ConfigKey.text(
          "kafka.eventsTopic",
          "orrery.events",
          "the name of a topic",
          "Where it is told what happens to experiments and trials.");

  static final ConfigKey<String> PROPERTIES =
      ConfigKey.text(
          "kafka.properties",
          null,
          "a file of properties",
          "Further properties of Kafka's clients, such as security.protocol and a login.");

  static final List<ConfigKey<?>> KEYS = List.of(SERVERS, METRICS_TOPIC, EVENTS_TOPIC, PROPERTIES);

  private KafkaKeys() {}

  /** The brokers; null when none are named. */
  static @Nullable KafkaConfig read(Config config) {
    String servers = config.find(SERVERS);
    String properties = config.find(PROPERTIES);
    return servers == null
        ? null
        : new KafkaConfig(
            servers,
            topic(config, METRICS_TOPIC),
            topic(config, EVENTS_TOPIC),
            properties == null ? null : Path.of(properties));
  }

  /** As Kafka has it, with room for what is put behind the name. */
  private static String topic(Config config, ConfigKey<String> key) {
    String name = config.get(key);
    if (!name.matches("[A-Za-z0-9._-]{1,200}")) {
      throw new Problem.Refused(
              new Finding(
                  "/" + key.name().replace('.', '/'),
                  key.name()
                      + " is '"
                      + name
                      + "': it must be up to 200 letters, digits, '.', '_', '-'"))
          .toException();
    }
    return name;
  }
}
