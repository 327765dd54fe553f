package io.orrery.gateway.pipeline;

import io.orrery.core.access.Need;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.time.Clock;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.Outflow;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a run's states as server-sent events, {@code GET /api/v1/runs/{run}/events}: an
 * event {@code run} has the whole run. It ends when the run is over.
 *
 * <p>Only the last state matters, so a slow client gets fewer events, and one that comes back needs
 * no number of the last one.
 */
final class RunEventApi implements Api {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final int MOST_LISTENERS = 1_000;
  private static final Buffer BEAT = Buffer.buffer(":\n\n");

  private final Bus bus;
  private final Clock clock;
  private final Duration patience;
  private final Set<Listener> listeners = new HashSet<>();

  /**
   * @param patience how long a client may read nothing
   */
  public RunEventApi(Bus bus, Clock clock, Duration patience) {
    this.bus = bus;
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void mount(ApiRouter router) {
    router.stream(RunApi.ONE + "/events", RouteNeed.STUDIO, this::events);
  }

  /** Ends all streams: clients come back by themselves. */
  @Override
  public void close() {
    Set.copyOf(listeners).forEach(Listener::end);
  }

  private void events(RoutingContext context) {
    RunApi.allowed(bus, context, Need.READ)
        .onSuccess(view -> {
          if (listeners.size() >= MOST_LISTENERS) {
            context.fail(
                new Problem.Busy(
                        MOST_LISTENERS + " streams of runs are open already.",
                        Duration.ofSeconds(5))
                    .toException());
          } else if (!context.response().closed()) {
            context
                .response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                .putHeader("X-Accel-Buffering", "no");
            listeners.add(new Listener(context, view.run().id()));
          }
        })
        .onFailure(context::fail);
  }

  /** A client of one run. */
  private final class Listener {
    private final RunId run;
    private final Outflow out;
    private final Bus.Subscription subscription;
    private Clock.@Nullable Timer heartbeat;
    private boolean asking;
    private boolean changed;
    private @Nullable String last;

    Listener(RoutingContext context, RunId run) {
      this.run = run;
      this.out = new Outflow(context.response(), clock, patience, this::leave);
      this.subscription =
          bus.listen(
              PipelineRuns.CHANGED,
              news -> {
                if (news.id().equals(run)) {
                  ask();
                }
              });
      beat();
      ask();
    }

    private void beat() {
      heartbeat =
          clock.after(
              HEARTBEAT,
              () -> {
                // A hint may be lost, so the state is also read at intervals.
                ask();
                out.write(BEAT).onSuccess(written -> beat()).onFailure(gone -> leave());
              });
    }

    /** Asks for the state, one question at a time. */
    private void ask() {
      if (asking || out.over()) {
        changed = true;
        return;
      }
      asking = true;
      changed = false;
      bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(run))
          .onSuccess(view -> {
            String text = Json.write(RunShape.of(view));
            boolean fresh = !text.equals(last);
            last = text;
            boolean over = view.run().status().isOver();
            if (fresh && !out.over()) {
              out.write(Buffer.buffer("event: run\ndata: " + text + "\n\n"))
                  .onComplete(written -> {
                    if (over) {
                      end();
                    } else {
                      rest();
                    }
                  });
            } else {
              rest();
            }
          })
          .onFailure(failure -> {
            changed = true;
            rest(AFTER_FAILURE);
          });
    }

    private void rest() {
      rest(PAUSE);
    }

    private void rest(Duration pause) {
      clock.after(
          pause,
          () -> {
            asking = false;
            if (changed && !out.over()) {
              ask();
            }
          });
    }

    private void leave() {
      listeners.remove(this);
      subscription.cancel();
      if (heartbeat != null) {
        heartbeat.cancel();
      }
    }

    void end() {
      out.end();
      leave();
    }
  }
}
