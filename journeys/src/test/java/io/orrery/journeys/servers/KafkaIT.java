package io.orrery.journeys.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import io.orrery.journeys.KafkaBroker;
import io.orrery.journeys.ServerProcess;
import io.orrery.journeys.WaitingTrials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Metrics over a real broker, which is restarted, into a server, which is killed. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class KafkaIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;

  @Test
  @Timeout(240)
  void everythingTheBrokerHasIsStoredOnceWhateverIsRestarted() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(temp.resolve("broker"))) {
      Path home = Files.createDirectories(temp.resolve("home"));
      Files.writeString(
          home.resolve("orrery.yml"), "kafka: {bootstrapServers: '" + broker.address() + "'}\n");
      ServerProcess server = ServerProcess.start(home);
      List<String> trials = WaitingTrials.start(server, temp.resolve("code"), 2);
      try (Load load = new Load(broker, trials)) {
        load.awaitSent(2_000);
        load.say(
            "{\"trial\": 1",
            "{\"trial\":\"no/body\",\"kind\":\"final\",\"sequence\":0,\"value\":1}");
        load.sayNothing();
        load.awaitSent(4_000);
        broker.stop();
        broker.startAgain();
        load.awaitSent(load.sent() + 2_000);
        server.kill();
        load.awaitSent(load.sent() + 2_000);
        server = ServerProcess.start(home);
        load.awaitSent(load.sent() + 2_000);
        load.end();
        for (int trial = 0; trial < trials.size(); trial++) {
          awaitPoints(server, trials.get(trial), load.acknowledged(trial));
        }
      } finally {
        server.close();
      }

      assertThat(read(broker, "orrery.metrics.rejected", 2))
          .extracting(letter ->
              new String(letter.headers().lastHeader("reason").value(), StandardCharsets.UTF_8))
          .anySatisfy(reason -> assertThat(reason).contains("experiment no has no trial body"))
          .anySatisfy(reason -> assertThat(reason).contains("'trial' is a text"));
      assertEvents(read(broker, "orrery.events", 8), trials);
    }
  }

  private static void assertEvents(
      List<ConsumerRecord<String, String>> events, List<String> trials) {
    String experiment = trials.getFirst().split("/")[0];
    assertThat(events).extracting(ConsumerRecord::key).containsOnly(experiment);
    List<JsonNode> told = events.stream().map(event -> Json.parse(event.value())).toList();
    assertThat(told)
        .extracting(event -> event.get("type").textValue())
        .contains("experiment", "trial");
    assertThat(told)
        .filteredOn(event -> event.get("type").textValue().equals("trial"))
        .extracting(event -> experiment + "/" + event.get("trial").get("id").textValue())
        .containsAll(trials);
  }

  private static void awaitPoints(ServerProcess server, String trial, long wanted)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (WaitingTrials.points(server, trial) < wanted) {
      assertThat(System.nanoTime()).as(server.log()).isLessThan(deadline);
      Thread.sleep(50);
    }
    assertThat(WaitingTrials.points(server, trial)).isEqualTo(wanted);
  }

  /** At least so many records of a topic. */
  private static List<ConsumerRecord<String, String>> read(
      KafkaBroker broker, String topic, int least) {
    List<ConsumerRecord<String, String>> read = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", broker.address(),
                "group.id", "reader",
                "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (read.size() < least && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(200)).forEach(read::add);
      }
    }
    assertThat(read).hasSizeGreaterThanOrEqualTo(least);
    return read;
  }

  /** Sends numbered points of each trial until it is told to end. */
  private static final class Load implements AutoCloseable {
    private final List<String> trials;
    private final KafkaProducer<String, String> producer;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger[] acknowledged;
    private final List<Exception> failures = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "load");

    Load(KafkaBroker broker, List<String> trials) {
      this.trials = trials;
      this.acknowledged = new AtomicInteger[trials.size()];
      for (int i = 0; i < acknowledged.length; i++) {
        acknowledged[i] = new AtomicInteger();
      }
      this.producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", broker.address(), "acks", "all", "linger.ms", "2"),
              new StringSerializer(),
              new StringSerializer());
      thread.start();
    }

    private void run() {
      for (long number = 0; !over.get() && !Thread.interrupted(); number++) {
        for (int i = 0; i < trials.size(); i++) {
          AtomicInteger count = acknowledged[i];
          producer.send(
              new ProducerRecord<>(
                  "orrery.metrics",
                  trials.get(i),
                  WaitingTrials.line(trials.get(i), "kafka", number)),
              (done, failure) -> {
                if (failure == null) {
                  count.incrementAndGet();
                } else {
                  synchronized (failures) {
                    failures.add(failure);
                  }
                }
              });
        }
        if (number % 20 == 0) {
          pause();
        }
      }
      producer.flush();
    }

    private static void pause() {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** A record without a value. */
    void sayNothing() {
      producer.send(new ProducerRecord<>("orrery.metrics", trials.getFirst(), null));
    }

    /** Records that can never be taken. */
    void say(String... texts) {
      for (String text : texts) {
        producer.send(new ProducerRecord<>("orrery.metrics", text));
      }
    }

    int sent() {
      int all = 0;
      for (AtomicInteger count : acknowledged) {
        all += count.get();
      }
      return all;
    }

    int acknowledged(int trial) {
      return acknowledged[trial].get();
    }

    void awaitSent(int wanted) throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (sent() < wanted) {
        assertThat(System.nanoTime())
            .as("points that the broker took: " + sent())
            .isLessThan(deadline);
        Thread.sleep(10);
      }
    }

    void end() throws InterruptedException {
      over.set(true);
      thread.join();
      assertThat(failures).isEmpty();
    }

    @Override
    public void close() {
      over.set(true);
      producer.close(Duration.ofSeconds(5));
    }
  }
}
