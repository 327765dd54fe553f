package io.orrery.gateway.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.TrialKeepers;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Download;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The API of a trial's files: {@code …/trials/{t}/files} lists them, {@code
 * …/trials/{t}/file?path=} is one of them. Browsers save them and show none, because a trial may
 * have written anything.
 */
final class FileApi implements Api {
  private final Bus bus;
  private final Clock clock;
  private final Duration patience;

  /**
   * @param patience how long a client may read nothing
   */
  public FileApi(Bus bus, Clock clock, Duration patience) {
    this.bus = bus;
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void mount(ApiRouter router) {
    router.get(TrialApi.ONE + "/files", RouteNeed.READ, this::list, "attempt");
    router.stream(TrialApi.ONE + "/file", RouteNeed.READ, this::read, "path", "attempt", "offset");
  }

  private Future<Reply> list(RoutingContext context) {
    TrialRef trial = PathIds.trial(context);
    Integer attempt = attempt(Query.of(context));
    return bus.request(TrialKeepers.FILES, new TrialKeepers.ListFiles(trial, attempt))
        .map(list -> {
          ObjectNode json = Json.MAPPER.createObjectNode();
          ArrayNode items = json.putArray("items");
          list.files()
              .forEach(
                  file -> items.addObject().put("path", file.path()).put("bytes", file.bytes()));
          return Reply.ok(json.put("more", list.more()));
        });
  }

  private void read(RoutingContext context) {
    TrialRef trial = PathIds.trial(context);
    Query query = Query.of(context);
    Integer attempt = attempt(query);
    String path = query.text("path");
    if (path == null) {
      throw new Problem.Refused(new Finding("", "the query parameter 'path' says which file"))
          .toException();
    }
    context.response().putHeader("Content-Disposition", "attachment");
    new Download(clock, patience)
        .send(
            context,
            "application/octet-stream",
            query.integer("offset", 0, 0, Long.MAX_VALUE),
            (from, limit) ->
                bus.request(
                    TrialKeepers.FILE,
                    new TrialKeepers.ReadFile(trial, attempt, path, from, limit)));
  }

  private static @Nullable Integer attempt(Query query) {
    int number = (int) query.integer("attempt", 0, 1, Integer.MAX_VALUE);
    return number == 0 ? null : number;
  }
}
