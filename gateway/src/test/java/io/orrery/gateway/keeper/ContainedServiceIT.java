package io.orrery.gateway.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.TrialStatus;
import io.orrery.gateway.Edge;
import io.orrery.gateway.Samples;
import io.orrery.gateway.auth.Access;
import io.orrery.gateway.channel.TrialTokens;
import io.orrery.gateway.health.Readiness;
import io.orrery.gateway.http.EdgeOptions;
import io.orrery.gateway.http.EdgeVerticle;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceContract;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrialAccess;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every platform does, done by keepers over the real edge: their command's directory is there,
 * as it is in an image.
 */
class ContainedServiceIT extends TrainingServiceContract {
  private final TrialTokens tokens =
      new TrialTokens("a secret of this test".getBytes(StandardCharsets.UTF_8));

  private final List<MetricPoint> durable = new ArrayList<>();
  private final Set<List<Object>> seen = new HashSet<>();
  private EdgeVerticle edge;

  @Override
  protected TrialAccess access() {
    return new TrialAccess() {
      @Override
      public String serverUrl() {
        return "http://127.0.0.1:" + edge.actualPort();
      }

      @Override
      public String token(AttemptRef attempt) {
        return tokens.of(attempt);
      }
    };
  }

  /** A trial's channel is its keeper, so only the token is the server's. */
  @Override
  protected String identity(AttemptRef attempt) {
    return "/trial/";
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    // What was durable before is known to who asks the log.
    durable.forEach(point -> listener.reported(List.of(point)));
    return new ContainedService(surroundings, directory.resolve("pods"), false);
  }

  @Override
  protected void beforeService() throws Exception {
    SystemClock clock = new SystemClock(vertx);
    edge =
        Edge.of(
            EdgeOptions.loopback(0),
            bus,
            new ListenersSink(),
            tokens,
            Access.of(List.of(), tokens, clock, new SecureRandom()),
            home().resolve("experiments"),
            directory.resolve("nni"),
            clock,
            "test",
            () -> Future.succeededFuture(Readiness.State.READY));
    done(vertx.deployVerticle(edge));
    done(
        bus.serve(
            Trials.GET,
            get ->
                Future.succeededFuture(Samples.trial(TrialStatus.RUNNING, 9, null, Samples.THEN))));
  }

  /** The log: drops what it has, and tells the platform's listener of the rest. */
  private final class ListenersSink implements MetricSink {
    @Override
    public Future<List<Receipt>> appendAll(List<List<MetricPoint>> batches) {
      List<MetricPoint> fresh =
          batches.stream()
              .flatMap(List::stream)
              .filter(point ->
                  !seen.contains(
                      List.<Object>of(
                          point.attempt(), point.source(), point.kind(), point.ordinal())))
              .toList();
      return listener
          .reported(fresh)
          .map(taken -> {
            for (MetricPoint point : fresh) {
              seen.add(List.of(point.attempt(), point.source(), point.kind(), point.ordinal()));
              durable.add(point);
            }
            return batches.stream().map(batch -> new Receipt(batch.size(), 0)).toList();
          });
    }
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    container(attempt).lose();
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    Container container = container(attempt);
    return container.exists() && container.runs();
  }

  private Container container(AttemptRef attempt) {
    return ((ContainedService) service).container(attempt);
  }

  @Test
  void aContainerThatHasEndedLeavesNothingOnItsDisk() throws Exception {
    AttemptRef attempt = submit("echo x >\"$NNI_OUTPUT_DIR/x\"");

    listener.ended(attempt);

    assertThat(container(attempt).leftOnDisk()).isEmpty();
    assertThat(container(attempt).errors()).isEmpty();
  }
}
