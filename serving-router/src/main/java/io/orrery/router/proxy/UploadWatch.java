package io.orrery.router.proxy;

import io.netty.channel.Channel;
import io.orrery.router.policy.RouterProblem;
import io.orrery.router.policy.UploadPace;
import io.orrery.router.route.Service;
import io.orrery.router.route.Timeouts;
import io.orrery.router.route.UploadRate;
import org.jspecify.annotations.Nullable;

/** A watch over the pace at which the body of a request comes in. */
final class UploadWatch {
  private final HttpLoop lane;
  private final Call call;
  private final Upload upload;
  private final Backlog backlog;

  /** Only of a body that takes longer than a tick. */
  private @Nullable UploadPace pace;

  UploadWatch(HttpLoop lane, Call call, Upload upload, Backlog backlog) {
    this.lane = lane;
    this.call = call;
    this.upload = upload;
    this.backlog = backlog;
  }

  /**
   * The refusal of a body that comes too slowly. That of gRPC may be quiet for long; only its
   * service's time limits bound it.
   *
   * @param now nanoseconds
   * @param since when something of it came last
   * @param on the attempt that it goes to; null for none
   * @return null when it comes as fast as it has to
   */
  @Nullable RouterProblem fault(long now, long since, Timeouts times, @Nullable Attempt on) {
    if (now - since > times.idle().toNanos()) {
      return RouterProblem.slowClient(times.idle());
    }
    UploadPace own = pace;
    if (own == null) {
      boolean grpc =
          call.target().service().protocol() == Service.Protocol.H2C
              && HeaderRules.isGrpc(call.facts().request().headers());
      own = new UploadPace(grpc ? null : lane.uploadRate());
      pace = own;
    }
    Channel client = call.facts().peer().channel();
    boolean reading = !backlog.holdsBody() && (client == null || client.config().isAutoRead());
    UploadRate missed = own.missed(now, upload.came(), reading, () -> Attempt.isWanted(on));
    return missed == null ? null : RouterProblem.slowUpload(missed);
  }
}
