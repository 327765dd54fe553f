package io.orrery.orchestrator.workload;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Call;
import io.orrery.core.bus.contract.Workloads.Called;
import io.orrery.core.problem.Problem;
import io.orrery.core.workload.WorkloadPort;
import io.orrery.core.workload.WorkloadRef;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends requests of the server itself to the programs of workloads. */
final class WorkloadCalls {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int CONNECTIONS = 2;

  private final HttpClient http;
  private final WorkloadTokens tokens;
  private final Function<WorkloadRef, OwnedWorkload> workloads;

  /**
   * @param workloads which fails with NotFound when there is none
   */
  WorkloadCalls(
      Vertx vertx, WorkloadTokens tokens, Function<WorkloadRef, OwnedWorkload> workloads) {
    this.workloads = workloads;
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false).setMaxRedirects(0),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    this.tokens = tokens;
  }

  Future<?> serve(Bus bus) {
    return bus.serve(Workloads.CALL, asked -> call(workloads.apply(asked.workload()), asked));
  }

  /** Sends a GET to a replica that is ready. */
  private Future<Called> call(OwnedWorkload workload, Call asked) {
    List<WorkloadPort> ports = workload.want().spec().ports();
    String port = ports.isEmpty() ? "" : ports.getFirst().name();
    String endpoint =
        workload.view().replicas().stream()
            .filter(replica -> replica.phase().isReady())
            .filter(replica -> replica.ref().generation() == workload.want().generation())
            .map(replica -> replica.endpoints().get(port))
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(
                () -> silent(asked.workload() + " has no replica that is ready").toException());
    return get(workload, endpoint, asked.path(), Workloads.MOST_CALLED)
        .recover(failure ->
            Future.failedFuture(
                silent(
                        "%s does not answer GET %s: %s"
                            .formatted(asked.workload(), asked.path(), failure.getMessage()))
                    .toException()));
  }

  /**
   * Sends a GET to an endpoint of a workload.
   *
   * @param most the bytes of the answer
   */
  Future<Called> get(OwnedWorkload workload, String endpoint, String path, int most) {
    int colon = endpoint.lastIndexOf(':');
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setHost(endpoint.substring(0, colon).replaceAll("[\\[\\]]", ""))
            .setPort(Integer.parseInt(endpoint.substring(colon + 1)))
            .setURI(path)
            .setConnectTimeout(PATIENCE.toMillis())
            .setIdleTimeout(PATIENCE.toMillis())
            .setTimeout(PATIENCE.toMillis());
    String token = tokens.of(workload.want());
    if (token != null) {
      options.putHeader("Authorization", "token " + token);
    }
    return http.request(options)
        .compose(request ->
            request
                .send()
                .compose(response -> body(response, most))
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .eventually(() -> request.connection().close()));
  }

  private static Problem silent(String sentence) {
    return new Problem.Unavailable(sentence, Duration.ofSeconds(1));
  }

  private static Future<Called> body(HttpClientResponse response, int most) {
    Promise<Called> done = Promise.promise();
    Buffer body = Buffer.buffer();
    response.handler(piece -> {
      if (body.length() + piece.length() > most) {
        done.tryFail("the answer has more than " + most + " bytes");
      } else {
        body.appendBuffer(piece);
      }
    });
    response.exceptionHandler(done::tryFail);
    response.endHandler(end ->
        done.tryComplete(new Called(response.statusCode(), body.toString(StandardCharsets.UTF_8))));
    return done.future();
  }

  Future<@Nullable Void> close() {
    return http.close();
  }
}
