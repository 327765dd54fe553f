package io.orrery.gateway.nni;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.json.Json;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.discovery.ExperimentIndex;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The NNI calls {@code experiment-metadata} and {@code experiments-info}: entries of NNI's index of
 * experiments.
 *
 * <p>The {@code pid} of an entry is null unless a process stands for that experiment: NNI's clients
 * end it when they cannot stop an experiment otherwise, and the server's own runs all of them.
 */
final class NniIndex {
  private static final int PAGE = 200;

  private final Bus bus;
  private final NniTarget target;
  private final ExperimentIndex index;

  NniIndex(Bus bus, NniTarget target, ExperimentIndex index) {
    this.bus = bus;
    this.target = target;
    this.index = index;
  }

  void mount(ApiRouter router, String base) {
    router.get(
        base + "/experiment-metadata",
        RouteNeed.CHECKED,
        NniErrors.told(
            context -> target.experiment(context).map(found -> Reply.ok(index.entry(found)))));
    router.get(base + "/experiments-info", RouteNeed.CHECKED, NniErrors.told(this::all));
  }

  /** Below a prefix only if that is one of an experiment. */
  private Future<Reply> all(RoutingContext context) {
    List<ProjectName> visible = Callers.visible(context);
    return context.pathParam("prefix") == null
        ? all(visible)
        : target.id(context).compose(one -> all(visible));
  }

  private Future<Reply> all(@Nullable List<ProjectName> visible) {
    ArrayNode list = Json.MAPPER.createArrayNode();
    return AsyncLoop.pages(cursor ->
            bus.request(Experiments.LIST, new Experiments.ListAll(cursor, PAGE, visible, null))
                .map(page -> {
                  page.items().forEach(experiment -> list.add(index.entry(experiment)));
                  return page.next();
                }))
        .map(Reply.ok(list));
  }
}
