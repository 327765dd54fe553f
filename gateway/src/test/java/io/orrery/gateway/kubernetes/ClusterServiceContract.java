package io.orrery.gateway.kubernetes;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricSink;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.Parameters;
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
import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.TrialAccess;
import io.orrery.orchestrator.platform.kubernetes.JobName;
import io.orrery.orchestrator.platform.kubernetes.MockCluster;
import io.orrery.orchestrator.trial.TrialCommand;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What every platform does, done by a kind of job of a cluster: keepers run as the processes of
 * pods and talk to the real edge, and the server may do no more there than the role that we hand
 * out.
 */
abstract class ClusterServiceContract extends TrainingServiceContract {
  private static final Path ROLE = Path.of("../deploy/kubernetes/rbac.yaml");

  /** Others' definitions of the operators' kinds; not part of this repository. */
  static final Path DEFINITIONS =
      Path.of(System.getProperty("orrery.definitions", "../../shared/crds"));

  private final TrialTokens tokens =
      new TrialTokens("a secret of this test".getBytes(StandardCharsets.UTF_8));

  private final List<MetricPoint> durable = new ArrayList<>();
  private final Set<List<Object>> seen = new HashSet<>();
  private EdgeVerticle edge;
  protected MockCluster cluster;
  private Path kubeconfig;

  /** The platform, and its keys besides those that all have. */
  abstract TrainingServiceFactory factory();

  abstract Map<String, Object> settings();

  /** What the job of an attempt is called. */
  String job(AttemptRef attempt) {
    return JobName.dashed(attempt);
  }

  @Override
  protected TrainingServiceSpec platform() {
    Map<String, Object> all = new HashMap<>(settings());
    all.put("kubeconfig", kubeconfig.toString());
    all.put("ttlSecondsAfterFinished", 60);
    return new TrainingServiceSpec(factory().platform(), new Parameters(all));
  }

  /** Pods have a copy of the code; these trials work in the original, as the suite expects. */
  @Override
  protected ExperimentSpec spec(String command) {
    return super.spec("cd " + TrialCommand.quoted(code().toString()) + "\n" + command);
  }

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

  @Override
  protected String identity(AttemptRef attempt) {
    return "/trial/";
  }

  @Override
  protected void beforeService() throws Exception {
    cluster = new MockCluster(directory.resolve("node"), true);
    cluster.allow(ROLE);
    cluster.serve("kubeflow.org", "v1", "TFJob", "tfjobs");
    if (Files.isDirectory(DEFINITIONS)) {
      cluster.define(DEFINITIONS);
    }
    kubeconfig = cluster.kubeconfig(directory.resolve("kubeconfig"));
    SystemClock clock = new SystemClock(vertx);
    edge =
        Edge.of(
            EdgeOptions.loopback(0),
            bus,
            new ListenersSink(),
            tokens,
            Access.of(List.of(), tokens, clock, new SecureRandom()),
            Edge.Places.in(home()),
            clock,
            "test",
            () -> Future.succeededFuture(Readiness.State.READY),
            Future.succeededFuture(Leases.ALONE));
    done(vertx.deployVerticle(edge));
    done(
        bus.serve(
            Trials.GET,
            get ->
                Future.succeededFuture(Samples.trial(TrialStatus.RUNNING, 9, null, Samples.THEN))));
  }

  @Override
  protected void stop() throws Exception {
    try {
      super.stop();
    } finally {
      cluster.close();
    }
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    // What was durable before is known to who asks the log.
    durable.forEach(point -> listener.reported(List.of(point)));
    return factory().open(surroundings);
  }

  @Override
  protected void lose(AttemptRef attempt) {
    cluster.lose(job(attempt));
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    return cluster.runs(job(attempt));
  }

  /** The log: drops what it has, and tells the platform's listener of the rest. */
  private final class ListenersSink implements MetricSink {
    @Override
    public Future<List<Receipt>> appendAll(List<List<MetricPoint>> batches) {
      List<MetricPoint> fresh =
          batches.stream()
              .flatMap(List::stream)
              .filter(point -> !seen.contains(key(point)))
              .toList();
      return listener
          .reported(fresh)
          .map(taken -> {
            for (MetricPoint point : fresh) {
              seen.add(key(point));
              durable.add(point);
            }
            return batches.stream().map(batch -> new Receipt(batch.size(), 0)).toList();
          });
    }

    private static List<Object> key(MetricPoint point) {
      return List.of(point.attempt(), point.source(), point.kind(), point.ordinal());
    }
  }
}
