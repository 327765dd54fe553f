package io.orrery.gateway.service;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.auth.BearerToken;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.WorkloadFiles;
import io.orrery.core.bus.contract.WorkloadFiles.Archive;
import io.orrery.core.bus.contract.WorkloadFiles.Kind;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Download;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * The archives of code and models that pods fetch, {@code /pod-files/<kind>/<digest>}. A pod shows
 * the token that is derived for the archive; nothing else opens it, and it opens nothing else.
 */
final class WorkloadFileApi implements Api {
  private final Bus bus;
  private final OriginPasses passes;
  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a pod may read nothing of an answer
   */
  public WorkloadFileApi(Bus bus, OriginPasses passes, Clock clock, Duration patience) {
    this.bus = bus;
    this.passes = passes;
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream("/pod-files/:kind/:digest", RouteNeed.ATTEMPT, this::read, "offset");
  }

  private void read(RoutingContext context) {
    Archive archive = archive(context);
    String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    String token = header == null ? null : BearerToken.shown(header);
    if (token == null || !passes.isFilesToken(token, archive.toString())) {
      throw new Problem.Unauthorized(
              "A pod shows the token of the archive that it fetches: 'Authorization: Bearer …'.")
          .toException();
    }
    new Download(clock, patience)
        .send(
            context,
            archive.kind() == Kind.CODE ? "application/gzip" : "application/x-tar",
            Query.of(context).integer("offset", 0, 0, Long.MAX_VALUE),
            (from, limit) ->
                bus.request(WorkloadFiles.READ, new WorkloadFiles.Read(archive, from, limit)));
  }

  private static Archive archive(RoutingContext context) {
    String word = context.pathParam("kind");
    String digest = context.pathParam("digest");
    return Kind.of(word)
        .filter(kind -> Sha256.isHex(digest))
        .map(kind -> new Archive(kind, digest))
        .orElseThrow(() ->
            new Problem.NotFound("There are no files %s/%s.".formatted(word, digest))
                .toException());
  }
}
