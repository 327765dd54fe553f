package io.orrery.gateway.experiment;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.time.Clock;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.auth.Ownerships;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.PathIds;
import io.orrery.gateway.http.RouteNeed;
import io.orrery.gateway.live.EventStreams;
import io.orrery.gateway.live.Feed;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API of events of experiments: {@code GET /experiments/{id}/events} and {@code GET /events}.
 *
 * <p>A feed is opened by its first listener and kept for a while after its last, so that a reloaded
 * page or a broken connection misses nothing.
 *
 * <p>The stream of an experiment that has ended stays open and says nothing: it may be resumed, or
 * a trial retried, and a browser whose stream is closed asks again every few seconds for as long as
 * the page is open. That of a deleted one is closed; a client that asks again learns that it is
 * gone (404), which ends a browser's attempts.
 */
final class ExperimentEvents implements Api {
  private static final Duration KEPT = Duration.ofSeconds(60);

  /** A feed with what keeps it going. */
  private static final class Source {
    final Feed feed;
    final List<Bus.Subscription> subscriptions;
    final Future<?> known;
    Clock.@Nullable Timer end;

    Source(Feed feed, List<Bus.Subscription> subscriptions, Future<?> known) {
      this.feed = feed;
      this.subscriptions = subscriptions;
      this.known = known;
    }
  }

  private final Bus bus;
  private final Ownerships ownerships;
  private final Clock clock;
  private final EventStreams streams;
  private final Map<ExperimentId, Source> experiments = new HashMap<>();
  private final Map<List<ProjectName>, Source> narrowed = new HashMap<>();
  private @Nullable Source list;

  /**
   * @param ownerships the projects and owners of experiments
   * @param streams in which clients listen
   */
  public ExperimentEvents(Bus bus, Ownerships ownerships, Clock clock, EventStreams streams) {
    this.ownerships = ownerships;
    this.bus = bus;
    this.clock = clock;
    this.streams = streams;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(
        ApiRouter.V1 + "/experiments/:experiment/events",
        RouteNeed.READ,
        this::experiment,
        EventStreams.LAST_EVENT_ID);
    router.stream(
        ApiRouter.V1 + "/events", RouteNeed.CHECKED, this::list, EventStreams.LAST_EVENT_ID);
  }

  /** Ends all streams: browsers come back by themselves. */
  @Override
  public void close() {
    Map.copyOf(experiments).keySet().forEach(this::forget);
    if (list != null) {
      end(list);
    }
    List.copyOf(narrowed.values()).forEach(ExperimentEvents::end);
  }

  private void experiment(RoutingContext context) {
    ExperimentId id = PathIds.experiment(context);
    String lastEventId = EventStreams.lastEventId(context);
    Source source = experiments.computeIfAbsent(id, this::open);
    source
        .known
        .onSuccess(exists -> {
          if (!context.response().closed()) {
            streams.listen(context, source.feed, lastEventId, () -> keepForAWhile(id, source));
          }
          // The client may have gone, or was one too many: then only this releases the feed.
          keepForAWhile(id, source);
        })
        .onFailure(missing -> {
          experiments.remove(id, source);
          end(source);
          context.fail(missing);
        });
  }

  private void list(RoutingContext context) {
    String lastEventId = EventStreams.lastEventId(context);
    List<ProjectName> visible = Callers.visible(context);
    if (visible != null) {
      listOf(context, visible, lastEventId);
      return;
    }
    if (list == null) {
      list = openList(null);
    }
    streams.listen(context, list.feed, lastEventId, () -> {});
  }

  /** A feed of its own for those who see some projects only; it ends with its last listener. */
  private void listOf(
      RoutingContext context, List<ProjectName> visible, @Nullable String lastEventId) {
    Source source = narrowed.computeIfAbsent(visible, this::openList);
    streams.listen(context, source.feed, lastEventId, () -> letGo(visible, source));
    letGo(visible, source);
  }

  private void letGo(List<ProjectName> visible, Source source) {
    if (source.feed.idle() && narrowed.remove(visible, source)) {
      end(source);
    }
  }

  // ---- feeds ---------------------------------------------------------------------------------

  private Source open(ExperimentId id) {
    ExperimentNews news = new ExperimentNews();
    Feed feed = streams.feed(news);
    List<Bus.Subscription> subscriptions =
        List.of(
            bus.listen(
                Experiments.EVENTS.of(id),
                event -> {
                  news.add(event);
                  feed.changed();
                  if (event instanceof ExperimentEvent.Deleted) {
                    letGo(id);
                  }
                }),
            bus.listen(
                Metrics.STORED.of(id),
                batch -> {
                  news.add(batch);
                  feed.changed();
                }));
    // Listening first, then asking: nothing is lost in between.
    Future<?> known = bus.request(Experiments.GET, new Experiments.Get(id)).onSuccess(news::know);
    return new Source(feed, subscriptions, known);
  }

  /**
   * @param visible the projects that the feed tells of; null for all
   */
  private Source openList(@Nullable List<ProjectName> visible) {
    ListNews news = new ListNews();
    Feed feed = streams.feed(news);
    Bus.Subscription subscription =
        bus.listen(
            Experiments.NEWS,
            event ->
                tells(event, visible)
                    .onSuccess(told -> {
                      if (told) {
                        news.add(event);
                        feed.changed();
                      }
                    }));
    return new Source(feed, List.of(subscription), Future.succeededFuture());
  }

  /** Whether an event is about an experiment of some projects. */
  private Future<Boolean> tells(ExperimentEvent event, @Nullable List<ProjectName> visible) {
    if (visible == null) {
      return Future.succeededFuture(true);
    }
    return switch (event) {
      case ExperimentEvent.Changed(Experiment experiment) ->
          Future.succeededFuture(visible.contains(experiment.ownership().project()));
      case ExperimentEvent.Deleted(_, ResourceOwner ownership) ->
          Future.succeededFuture(visible.contains(ownership.project()));
      case ExperimentEvent.Annotated tagged ->
          ownerships
              .of(tagged.id())
              .map(ownership -> visible.contains(ownership.project()))
              .otherwise(false);
      case ExperimentEvent.TrialChanged ignored -> Future.succeededFuture(false);
      case ExperimentEvent.TrialWithdrawn ignored -> Future.succeededFuture(false);
    };
  }

  private void keepForAWhile(ExperimentId id, Source source) {
    if (source.feed.idle() && source.end == null) {
      source.end =
          clock.after(
              KEPT,
              () -> {
                source.end = null;
                if (source.feed.idle() && source.equals(experiments.get(id))) {
                  forget(id);
                }
              });
    }
  }

  /** The experiment is gone: its feed says so and closes; an experiment of its name is another. */
  private void letGo(ExperimentId id) {
    Source source = experiments.remove(id);
    if (source != null) {
      source.subscriptions.forEach(Bus.Subscription::cancel);
    }
  }

  private void forget(ExperimentId id) {
    Source source = experiments.remove(id);
    if (source != null) {
      end(source);
    }
  }

  private static void end(Source source) {
    source.subscriptions.forEach(Bus.Subscription::cancel);
    source.feed.close();
    if (source.end != null) {
      source.end.cancel();
    }
  }
}
