package io.orrery.router.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.RouteLayers;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.RouteLayer;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that keeps the layer {@link RouteLayer#STUDIO} of a router as the store has it. It
 * reads the layer at start, on each hint, and a second after it has read it last. While no server
 * answers, the pause doubles up to fifteen seconds, and the router routes by what it has.
 */
public final class LayerFollower extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(LayerFollower.class);
  private static final RouteLayer LAYER = RouteLayer.STUDIO;
  private static final Duration PACE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private final Bus bus;
  private final Clock clock;
  private final Future<TableInbox> inbox;
  private Clock.@Nullable Timer next;
  private Duration pause = PACE;
  private boolean reading;
  private boolean again;
  private boolean away;
  private boolean closed;

  /** The layer that could not be put in force, and beside which table; null for none. */
  private @Nullable Refused refused;

  /**
   * @param inbox of a router that may still be starting; fails when there is none, and then nothing
   *     is read
   */
  public LayerFollower(Bus bus, Clock clock, Future<TableInbox> inbox) {
    this.bus = bus;
    this.clock = clock;
    this.inbox = inbox;
  }

  private record Refused(long revision, long generation) {}

  @Override
  public Future<?> start() {
    inbox.onSuccess(open ->
        context.runOnContext(home -> {
          bus.listen(
              RouteLayers.CHANGED,
              changed -> {
                if (changed.layer() == LAYER) {
                  read(open);
                }
              });
          read(open);
        }));
    return Future.succeededFuture();
  }

  private void read(TableInbox open) {
    if (closed) {
      return;
    }
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    if (next != null) {
      next.cancel();
      next = null;
    }
    bus.request(RouteLayers.GET, new RouteLayers.Get(LAYER, known(open)))
        .onSuccess(layer -> heard())
        .onFailure(this::unheard)
        .compose(layer -> take(open, layer))
        .onComplete(done -> {
          reading = false;
          if (again) {
            again = false;
            read(open);
          } else if (!closed) {
            next = clock.after(pause, () -> read(open));
          }
        });
  }

  /** The revision that need not be sent: what is in force, or was refused beside this table. */
  private long known(TableInbox open) {
    Refused last = refused;
    return last != null && last.generation() == open.current().generation()
        ? last.revision()
        : open.current().table().revision(LAYER);
  }

  private Future<Void> take(TableInbox open, RouteLayers.Layer layer) {
    String document = layer.document();
    if (document == null && !open.isUnkept()) {
      return Future.succeededFuture();
    }
    return vertx
        .<Void>executeBlocking(() -> {
          if (document == null) {
            open.keep(LAYER);
          } else {
            open.follow(LAYER, layer.revision(), document);
          }
          return null;
        })
        .onSuccess(inForce -> refused = null)
        .onFailure(failure -> {
          Refused present = new Refused(layer.revision(), open.current().generation());
          if (refused == null || refused.revision() != present.revision()) {
            LOG.warn(
                "could not take revision {} of the layer {}: {}",
                layer.revision(),
                LAYER.word(),
                Problem.of(failure).detail());
          }
          refused = present;
        });
  }

  private void heard() {
    pause = PACE;
    if (away) {
      away = false;
      LOG.info("the layer {} is read again", LAYER.word());
    }
  }

  private void unheard(Throwable failure) {
    Duration doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    if (!away) {
      away = true;
      LOG.warn(
          "could not read the layer {}, routing by the last one: {}",
          LAYER.word(),
          Problem.of(failure).detail());
    }
  }

  @Override
  public Future<?> stop() {
    closed = true;
    if (next != null) {
      next.cancel();
    }
    return Future.succeededFuture();
  }
}
