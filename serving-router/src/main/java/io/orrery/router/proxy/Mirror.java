package io.orrery.router.proxy;

import io.orrery.router.health.EndpointState;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.policy.Comparison;
import io.orrery.router.policy.CopyBudget;
import io.orrery.router.policy.Loop;
import io.orrery.router.route.Service;
import io.orrery.router.telemetry.ShadowMeters;
import io.orrery.router.telemetry.ShadowMeters.Copy;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends copies of requests to shadows. It has pools and a budget of its own, drops what is over,
 * and is never waited for: whatever a shadow does, the client does not notice. A shadow that fails
 * five times in a row is left alone for a second, then tried with one copy. Lives on one loop.
 */
final class Mirror {
  /** Told to the endpoints of copies only. */
  static final CharSequence SHADOW_OF = HttpHeaders.createOptimized("x-orrery-shadow-of");

  private final Upstreams upstreams;
  private final TrailerWriter writer;
  private final Loop loop;
  private final List<Shot> flying = new ArrayList<>();

  Mirror(Upstreams upstreams, TrailerWriter writer, Loop loop) {
    this.upstreams = upstreams;
    this.writer = writer;
    this.loop = loop;
  }

  /**
   * Begins a copy whose body is yet to come.
   *
   * @param compareBodies whether more than the status is compared
   * @param request its method and path
   * @return null when it is dropped
   */
  @Nullable Shot begin(String primary, ServiceState shadow, boolean compareBodies, String request) {
    ShadowMeters.Shadow meter = loop.meters().shadows().of(primary, shadow.id());
    if (!loop.copies().take(shadow.id(), loop.now())) {
      meter.copy(Copy.DROPPED);
      return null;
    }
    return new Shot(primary, shadow, meter, compareBodies, request);
  }

  /** Cuts off the copies that take too long; called often. */
  void sweep(long now) {
    for (Shot shot : flying.toArray(new Shot[0])) {
      if (now - shot.deadline >= 0) {
        shot.end(Copy.FAILED);
      }
    }
  }

  /** A copy of a request on its way. */
  final class Shot implements Pool.Waiter {
    private final String primary;
    private final ServiceState shadow;
    private final ShadowMeters.Shadow meter;
    private final List<Buffer> pieces = new ArrayList<>(1);
    private long held;
    private boolean over;
    private long deadline;
    private long sentAt;
    private final Comparison comparison;
    private final @Nullable BodyDigest digest;
    private @Nullable EndpointState endpoint;
    private @Nullable Link link;
    private @Nullable RequestOptions head;
    private @Nullable MultiMap headers;
    private @Nullable MultiMap trailers;
    private @Nullable String authority;

    private Shot(
        String primary,
        ServiceState shadow,
        ShadowMeters.Shadow meter,
        boolean compareBodies,
        String request) {
      this.primary = primary;
      this.shadow = shadow;
      this.meter = meter;
      this.comparison = new Comparison(loop, meter, request);
      this.digest = compareBodies ? new BodyDigest() : null;
    }

    /** A piece of the body, by reference. */
    void add(Buffer piece) {
      if (over) {
        return;
      }
      if (!loop.copies().hold(piece.length())) {
        end(Copy.DROPPED);
        return;
      }
      held += piece.length();
      pieces.add(piece);
    }

    /** The primary's request did not come to its end. */
    void abandon() {
      end(Copy.DROPPED);
    }

    /**
     * The body is whole: off it goes.
     *
     * @param host that was asked for
     * @param requestTrailers null for none
     */
    void send(
        HttpMethod method,
        String host,
        String uri,
        MultiMap requestHeaders,
        @Nullable MultiMap requestTrailers) {
      if (over) {
        return;
      }
      EndpointState chosen =
          loop.picker().pick(shadow.endpoints(), shadow.service().balance(), null, null);
      if (chosen == null) {
        end(Copy.FAILED);
        return;
      }
      endpoint = chosen;
      chosen.beginCopy(loop.number());
      head = new RequestOptions().setMethod(method).setURI(uri);
      headers = requestHeaders;
      authority = host;
      trailers = requestTrailers;
      sentAt = loop.nanos();
      deadline = sentAt + shadow.service().timeouts().firstByte().toNanos();
      flying.add(this);
      upstreams
          .pool(chosen)
          .acquire(
              this,
              CopyBudget.CLIENT,
              CopyBudget.MOST_COPIES,
              CopyBudget.MOST_COPIES,
              shadow.service().timeouts().connect(),
              sentAt);
    }

    /** What the client was told. */
    void primary(int status, @Nullable BodyDigest body, long took) {
      comparison.primary(status, body, took);
    }

    @Override
    public boolean waits() {
      return !over;
    }

    @Override
    public boolean hasFew(int most) {
      return true;
    }

    @Override
    public void connected(Link newLink) {
      link = newLink;
      RequestOptions options = head;
      if (options == null) {
        end(Copy.FAILED);
        return;
      }
      newLink
          .connection()
          .request(options)
          .onSuccess(this::write)
          .onFailure(broken -> end(Copy.FAILED));
    }

    private void write(HttpClientRequest request) {
      MultiMap copied = headers;
      if (over || copied == null) {
        return;
      }
      request.headers().setAll(copied);
      HeaderRules.dropParent(request.headers());
      request.putHeader(SHADOW_OF, primary);
      if (shadow.service().protocol() == Service.Protocol.H2C) {
        // There the host is no header, and one that differs is a fault (RFC 9113 section 8.3.1).
        request.headers().remove(HttpHeaders.HOST);
        request.authority(HostAndPort.parseAuthority(authority, -1));
      }
      request.response().onSuccess(this::answered).onFailure(broken -> end(Copy.FAILED));
      MultiMap last = trailers;
      if (last != null) {
        request.setChunked(true);
        writer.end(request, last, pieces.isEmpty() ? request.sendHead() : request.write(body()));
      } else if (pieces.isEmpty()) {
        request.end();
      } else {
        request.end(body());
      }
    }

    private Buffer body() {
      if (pieces.size() == 1) {
        return pieces.getFirst();
      }
      Buffer body = Buffer.buffer((int) held);
      pieces.forEach(body::appendBuffer);
      return body;
    }

    private void answered(HttpClientResponse response) {
      if (link != null) {
        link.heard(response);
      }
      BodyDigest counted = digest;
      if (counted != null) {
        response.handler(piece -> counted.add(ByteBuffer.wrap(piece.getBytes())));
      }
      response
          .exceptionHandler(broken -> end(Copy.FAILED))
          .endHandler(done -> {
            if (!over) {
              long took = loop.nanos() - sentAt;
              end(Copy.SENT);
              comparison.shadow(response.statusCode(), digest, took);
            }
          });
    }

    @Override
    public void unconnected(Throwable cause) {
      end(Copy.FAILED);
    }

    @Override
    public void crowdedOut() {
      end(Copy.DROPPED);
    }

    private void end(Copy what) {
      if (over) {
        return;
      }
      over = true;
      loop.copies().giveBack(held);
      pieces.clear();
      flying.remove(this);
      meter.copy(what);
      if (endpoint != null) {
        endpoint.endCopy(loop.number());
      }
      if (what != Copy.DROPPED) {
        loop.copies().heard(shadow.id(), what == Copy.SENT, loop.nanos());
      }
      if (link != null) {
        if (what == Copy.SENT) {
          link.release();
        } else {
          link.discard();
        }
      }
    }
  }
}
