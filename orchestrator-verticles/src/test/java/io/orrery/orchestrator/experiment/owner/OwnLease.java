package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.lease.Lease;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A lease that no other server wants: it is held until it is given back. */
final class OwnLease implements Lease {
  private boolean held = true;

  @Override
  public long epoch() {
    return 1;
  }

  @Override
  public boolean held() {
    return held;
  }

  @Override
  public Future<Void> lost() {
    return Promise.<Void>promise().future();
  }

  @Override
  public Store fencing(Store store) {
    return store;
  }

  @Override
  public Future<Void> giveBack() {
    held = false;
    return Future.succeededFuture();
  }
}
