package io.orrery.router.wire;

import io.netty.buffer.ByteBuf;
import io.orrery.router.health.EndpointState;
import io.orrery.router.health.LiveTable;
import io.orrery.router.health.ServiceState;
import io.orrery.router.policy.BodyDigest;
import io.orrery.router.policy.Comparison;
import io.orrery.router.policy.CopyBudget;
import io.orrery.router.policy.Loop;
import io.orrery.router.route.RouteTable;
import io.orrery.router.route.Shadow;
import io.orrery.router.telemetry.ShadowMeters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends copies of requests to shadows, over connections of their own and within the loop's budget,
 * and is never waited for. Only requests that are whole are copied here, so a copy is a reference
 * to the bytes that the endpoint gets.
 */
final class Shadows {
  private static final byte[] SHADOW_OF =
      "x-orrery-shadow-of: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int LINE_END = 2;

  /** The characters that are kept of the method and the path of a request. */
  private static final int MOST_OF_LINE = 200;

  private final Loop loop;
  private final Pools pools;
  private final ArrayDeque<Copy> flying = new ArrayDeque<>();

  Shadows(Loop loop, Pools pools) {
    this.loop = loop;
    this.pools = pools;
  }

  /**
   * Sends a request to each target that gets copies of its service's, by chance where one gets a
   * part.
   *
   * @param whole head and body; stays the caller's
   * @param head bytes of the head
   * @param bodiless whether its answer has no body, whatever the answer says
   * @return the copies that wait to be compared
   */
  List<Copy> copy(LiveTable table, ServiceState owner, ByteBuf whole, int head, boolean bodiless) {
    List<Shadow> mirror = owner.service().mirror();
    List<Copy> copies = List.of();
    int[] places = table.table().mirrors(owner.service());
    for (int i = 0; i < places.length; i++) {
      double percent = mirror.get(i).share().percent();
      if (places[i] == RouteTable.ABSENT
          || (percent < 100 && loop.random().nextDouble() * 100 >= percent)) {
        continue;
      }
      ServiceState shadow = table.states().get(places[i]);
      ShadowMeters.Shadow meter = loop.meters().shadows().of(owner.id(), shadow.id());
      int body = whole.readableBytes() - head;
      if (!loop.copies().take(shadow.id(), loop.now())) {
        meter.copy(ShadowMeters.Copy.DROPPED);
      } else if (!loop.copies().hold(body)) {
        loop.copies().giveBack(0);
        meter.copy(ShadowMeters.Copy.DROPPED);
      } else {
        Copy copy =
            new Copy(
                owner.id(),
                shadow,
                meter,
                whole.retainedDuplicate(),
                head,
                bodiless,
                mirror.get(i).compareBodies());
        copies = with(copies, copy);
        copy.begin();
      }
    }
    return copies;
  }

  /** Of a shadow that rests there is none, and that is to cost nothing. */
  private static List<Copy> with(List<Copy> copies, Copy one) {
    List<Copy> all = copies.isEmpty() ? new ArrayList<>(1) : copies;
    all.add(one);
    return all;
  }

  /** Cuts off the copies that take too long; called often. */
  void tick(long now) {
    for (Copy copy : List.copyOf(flying)) {
      if (now - copy.deadline >= 0) {
        copy.end(ShadowMeters.Copy.FAILED);
      }
    }
  }

  /** Drains the connections to all other endpoints. */
  void keep(Set<EndpointState> kept) {
    pools.keep(kept);
  }

  void sweep(long now) {
    pools.sweep(now);
  }

  void close() {
    List.copyOf(flying).forEach(copy -> copy.end(ShadowMeters.Copy.FAILED));
    pools.close();
  }

  /** A copy of a request on its way. */
  final class Copy implements Pool.Waiter, Upstream.Listener {
    private final String primary;
    private final ServiceState shadow;
    private final ShadowMeters.Shadow meter;
    private final ByteBuf whole;
    private final int head;
    private final boolean bodiless;
    private final Comparison comparison;
    private final @Nullable BodyDigest digest;
    private long deadline;
    private long sentAt;
    private int status;
    private boolean over;
    private @Nullable EndpointState endpoint;
    private @Nullable Upstream upstream;

    private Copy(
        String primary,
        ServiceState shadow,
        ShadowMeters.Shadow meter,
        ByteBuf whole,
        int head,
        boolean bodiless,
        boolean compareBodies) {
      this.primary = primary;
      this.shadow = shadow;
      this.meter = meter;
      this.whole = whole;
      this.head = head;
      this.bodiless = bodiless;
      this.comparison = new Comparison(loop, meter, line(whole));
      this.digest = compareBodies ? new BodyDigest() : null;
    }

    /** Method and path, from the first line of the request. */
    private static String line(ByteBuf whole) {
      int from = whole.readerIndex();
      int end = from + Math.min(whole.readableBytes(), MOST_OF_LINE);
      int method = whole.indexOf(from, end, (byte) ' ');
      int at = method < 0 ? end : method + 1;
      while (at < end && whole.getByte(at) > ' ' && whole.getByte(at) != '?') {
        at++;
      }
      return whole.toString(from, at - from, StandardCharsets.ISO_8859_1);
    }

    private void begin() {
      sentAt = loop.nanos();
      deadline = sentAt + shadow.service().timeouts().firstByte().toNanos();
      flying.add(this);
      EndpointState chosen =
          loop.picker().pick(shadow.endpoints(), shadow.service().balance(), null, null);
      if (chosen == null) {
        end(ShadowMeters.Copy.FAILED);
        return;
      }
      endpoint = chosen;
      chosen.beginCopy(loop.number());
      pools
          .of(chosen)
          .acquire(
              this,
              CopyBudget.CLIENT,
              CopyBudget.MOST_COPIES,
              CopyBudget.MOST_COPIES,
              shadow.service().timeouts().connect());
    }

    /** What the client was told. */
    void primary(int told, @Nullable BodyDigest body, long took) {
      comparison.primary(told, body, took);
    }

    @Override
    public boolean waits() {
      return !over && upstream == null;
    }

    @Override
    public boolean hasFew(int most) {
      return true;
    }

    @Override
    public void connected(Upstream to) {
      upstream = to;
      to.serve(this);
      byte[] name = primary.getBytes(StandardCharsets.US_ASCII);
      int body = whole.readableBytes() - head;
      boolean joins = body <= Bytes.FEW;
      ByteBuf out =
          to.channel()
              .alloc()
              .directBuffer(
                  head + SHADOW_OF.length + name.length + HEAD_END.length + (joins ? body : 0));
      int from = whole.readerIndex();
      out.writeBytes(whole, from, head - LINE_END);
      out.writeBytes(SHADOW_OF).writeBytes(name).writeBytes(HEAD_END);
      if (joins) {
        out.writeBytes(whole, from + head, body);
        to.write(out);
      } else {
        to.write(out);
        to.write(whole.retainedSlice(from + head, body));
      }
      to.flush();
    }

    @Override
    public void unconnected() {
      end(ShadowMeters.Copy.FAILED);
    }

    @Override
    public void crowdedOut() {
      end(ShadowMeters.Copy.DROPPED);
    }

    @Override
    public boolean askedForHead() {
      return bodiless;
    }

    @Override
    public void interim(ResponseHead head) {}

    @Override
    public void head(ResponseHead answer, boolean bodiless) {
      status = answer.status();
    }

    @Override
    public @Nullable BodyDigest digest() {
      return digest;
    }

    @Override
    public void piece(ByteBuf piece) {
      piece.release();
    }

    @Override
    public void end() {
      long took = loop.nanos() - sentAt;
      boolean late = over;
      end(ShadowMeters.Copy.SENT);
      if (!late) {
        comparison.shadow(status, digest, took);
      }
    }

    @Override
    public void broken() {
      end(ShadowMeters.Copy.FAILED);
    }

    @Override
    public void pause() {}

    @Override
    public void writable(boolean room) {}

    private void end(ShadowMeters.Copy what) {
      if (over) {
        return;
      }
      over = true;
      loop.copies().giveBack(whole.readableBytes() - head);
      whole.release();
      flying.remove(this);
      meter.copy(what);
      if (endpoint != null) {
        endpoint.endCopy(loop.number());
      }
      if (what != ShadowMeters.Copy.DROPPED) {
        loop.copies().heard(shadow.id(), what == ShadowMeters.Copy.SENT, loop.nanos());
      }
      Upstream used = upstream;
      upstream = null;
      if (used != null) {
        if (what == ShadowMeters.Copy.SENT) {
          used.release();
        } else {
          used.discard();
        }
      }
    }
  }
}
