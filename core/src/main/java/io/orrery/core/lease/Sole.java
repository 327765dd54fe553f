package io.orrery.core.lease;

import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The leases of a server that works alone: each request succeeds, without a write, and no lease is
 * lost.
 */
final class Sole implements Leases {
  private record Own(Future<Void> lost) implements Lease {
    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public boolean held() {
      return true;
    }

    @Override
    public Store fencing(Store store) {
      return store;
    }

    @Override
    public Future<Void> giveBack() {
      return Future.succeededFuture();
    }
  }

  @Override
  public boolean shared() {
    return false;
  }

  @Override
  public String host() {
    return "";
  }

  @Override
  public Future<Optional<Lease>> take(String name) {
    return Future.succeededFuture(Optional.of(new Own(Promise.<Void>promise().future())));
  }

  @Override
  public Future<Optional<Holder>> holder(String name) {
    return Future.succeededFuture(Optional.empty());
  }

  @Override
  public Future<List<Holder>> held() {
    return Future.succeededFuture(List.of());
  }

  @Override
  public Future<List<Member>> members() {
    return Future.succeededFuture(List.of());
  }

  @Override
  public void onMembership(Consumer<String> listener) {}
}
