package io.orrery.gateway.kafka;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.gateway.experiment.ExperimentShape;
import io.orrery.gateway.trial.TrialShape;
import io.vertx.core.Future;
import io.vertx.kafka.client.producer.KafkaProducer;
import io.vertx.kafka.client.producer.KafkaProducerRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a topic what happens to experiments and their trials, each experiment's events under its id
 * as key and so in their order. An event is told after it became durable here, and is as the API
 * shows it. While no broker answers a few thousand events wait; what comes on top is not told, and
 * the log says how many.
 */
final class KafkaOut {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaOut.class);
  private static final int MOST_WAITING = 10_000;
  private static final int PAGE = 1_000;

  private final Bus bus;
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  /** Experiments that go on, of which each event is heard. */
  private final Map<ExperimentId, Bus.Subscription> followed = new HashMap<>();

  private Bus.@Nullable Subscription news;
  private int waiting;
  private long untold;

  KafkaOut(Bus bus, KafkaProducer<byte[], byte[]> producer, String topic) {
    this.bus = bus;
    this.producer = producer;
    this.topic = topic;
  }

  /** Listens to what goes on, and to what will. */
  Future<Void> start() {
    news = bus.listen(Experiments.NEWS, this::hear);
    return followAll();
  }

  void stop() {
    if (news != null) {
      news.cancel();
    }
    followed.values().forEach(Bus.Subscription::cancel);
  }

  private Future<Void> followAll() {
    return AsyncLoop.pages(cursor ->
        bus.request(Experiments.LIST, Experiments.ListAll.of(cursor, PAGE))
            .map(page -> {
              page.items().stream().filter(one -> !one.status().isFinal()).forEach(this::follow);
              return page.next();
            }));
  }

  private void follow(Experiment experiment) {
    followed.computeIfAbsent(
        experiment.id(),
        id ->
            bus.listen(
                Experiments.EVENTS.of(id),
                event -> {
                  switch (event) {
                    case ExperimentEvent.TrialChanged(var trial) ->
                        tell(
                            id,
                            "trial",
                            Json.MAPPER.createObjectNode().set("trial", TrialShape.of(trial)));
                    case ExperimentEvent.TrialWithdrawn(var trial) ->
                        tell(
                            id,
                            "withdrawn",
                            Json.MAPPER.createObjectNode().put("trial", trial.trial().value()));
                    // Told as news.
                    case ExperimentEvent.Changed ignored -> {}
                    case ExperimentEvent.Annotated ignored -> {}
                    case ExperimentEvent.Deleted ignored -> {}
                  }
                }));
  }

  private void hear(ExperimentEvent event) {
    switch (event) {
      case ExperimentEvent.Changed(Experiment now) -> {
        tell(
            now.id(),
            "experiment",
            Json.MAPPER.createObjectNode().set("experiment", ExperimentShape.whole(now)));
        if (now.status().isFinal()) {
          letGo(now.id());
        } else {
          follow(now);
        }
      }
      case ExperimentEvent.Deleted(ExperimentId id, _) -> {
        tell(id, "deleted", Json.MAPPER.createObjectNode());
        letGo(id);
      }
      // Nothing of trials is news.
      case ExperimentEvent.Annotated ignored -> {}
      case ExperimentEvent.TrialChanged ignored -> {}
      case ExperimentEvent.TrialWithdrawn ignored -> {}
    }
  }

  private void letGo(ExperimentId id) {
    Bus.Subscription subscription = followed.remove(id);
    if (subscription != null) {
      subscription.cancel();
    }
  }

  private void tell(ExperimentId id, String type, ObjectNode what) {
    if (waiting >= MOST_WAITING) {
      untold++;
      return;
    }
    waiting++;
    what.put("type", type).put("id", id.value());
    producer
        .send(KafkaProducerRecord.create(topic, bytes(id.value()), bytes(Json.write(what))))
        .onComplete((sent, failure) -> {
          waiting--;
          if (failure != null) {
            untold++;
          }
          if (untold > 0 && waiting == 0) {
            LOG.warn("could not send {} events to Kafka", untold);
            untold = 0;
          }
        });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
