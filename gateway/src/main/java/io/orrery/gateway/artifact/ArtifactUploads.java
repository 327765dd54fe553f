package io.orrery.gateway.artifact;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Artifacts;
import io.orrery.core.bus.contract.Artifacts.Stored;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.StreamedBody;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Streams bodies of requests to the files that are kept by content. */
public final class ArtifactUploads {
  private final Bus bus;
  private final StreamedBody streams;
  private final RandomGenerator random;

  /**
   * @param patience how long a client may send nothing
   * @param random makes the names of uploads: a cryptographic source
   */
  public ArtifactUploads(
      Bus bus, RequestBody bodies, Clock clock, Duration patience, RandomGenerator random) {
    this.bus = bus;
    this.streams = new StreamedBody(bodies, clock, patience, Artifacts.PART);
    this.random = random;
  }

  /**
   * Stores the body of a request. Called before anything asynchronous happens to the request.
   *
   * @param digest that the content must have; null for any
   * @return fails with Refused when the content has another digest, TooLarge, or Busy
   */
  public Future<Stored> receive(HttpServerRequest request, @Nullable String digest) {
    return receive(request, digest, Future.succeededFuture());
  }

  /**
   * The same when it is not known yet whether the caller may: at most a part is read before.
   *
   * @param allowed fails when the caller may not; then nothing is stored
   */
  public Future<Stored> receive(
      HttpServerRequest request, @Nullable String digest, Future<?> allowed) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    String name = HexFormat.of().formatHex(id);
    return streams
        .receive(
            request,
            Artifacts.MOST_BYTES,
            new Problem.TooLarge("A file has at most %,d bytes.".formatted(Artifacts.MOST_BYTES)),
            allowed,
            (offset, part) ->
                bus.request(Artifacts.ADD_PART, new Artifacts.AddPart(name, offset, part)))
        .compose(bytes -> bus.request(Artifacts.COMMIT, new Artifacts.Commit(name, bytes, digest)));
  }
}
