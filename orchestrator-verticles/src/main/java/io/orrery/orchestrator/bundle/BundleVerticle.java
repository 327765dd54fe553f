package io.orrery.orchestrator.bundle;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.bundle.BundleTable.Bundle;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The verticle that takes uploads of code. It holds no state besides the store. */
public final class BundleVerticle extends VerticleBase {
  private static final Pattern UPLOAD = Pattern.compile("[0-9a-z-]{1,64}");
  private static final int MOST_PARTS = CodeBundles.MOST_BYTES / CodeBundles.PART + 1;
  private static final Duration UPLOAD_LIFE = Duration.ofHours(1);
  private static final Duration RENEWAL = Duration.ofHours(1);
  private static final Duration UNUSED_LIFE = Duration.ofDays(1);

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final Path home;
  private final BundleTable table;

  public BundleVerticle(Bus bus, Store store, Clock clock, Path home) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.home = home;
    this.table = new BundleTable(store);
  }

  @Override
  public Future<?> start() {
    return BundleTable.MIGRATIONS.apply(store).compose(current -> serve());
  }

  private Future<?> serve() {
    BundleFolder folder = new BundleFolder(vertx, store, home);
    return Future.all(
        List.of(
            bus.serve(CodeBundles.FIND, this::find),
            bus.serve(CodeBundles.ADD_PART, this::add),
            bus.serve(CodeBundles.COMMIT, commit -> commit(folder, commit)),
            bus.serve(CodeBundles.KEEP, keep -> keep(folder, keep))));
  }

  /** Code that a client asks for is about to be used, so it is not dropped before that. */
  private Future<CodeBundles.Found> find(CodeBundles.Find asked) {
    Instant now = clock.now();
    return table
        .find(asked.digest())
        .compose(found ->
            found.isPresent() && found.get().at().isBefore(now.minus(RENEWAL))
                ? table.renew(asked.digest(), now).map(found)
                : Future.succeededFuture(found))
        .map(found -> new CodeBundles.Found(found.isPresent()));
  }

  private Future<Done> add(CodeBundles.AddPart part) {
    if (!UPLOAD.matcher(part.upload()).matches()
        || part.number() < 0
        || part.number() >= MOST_PARTS
        || part.bytes().length > CodeBundles.PART) {
      throw new Problem.Refused(new Finding("", "an upload has at most 64 MiB")).toException();
    }
    return table.add(part.upload(), part.number(), part.bytes(), clock.now()).map(new Done());
  }

  private Future<Done> commit(BundleFolder folder, CodeBundles.Commit commit) {
    if (!Sha256.isHex(commit.digest())) {
      throw new Problem.Refused(
              new Finding("", "a bundle is named by its SHA-256, 64 hexadecimal digits"))
          .toException();
    }
    return table
        .find(commit.digest())
        .compose(known ->
            known.isPresent()
                ? table.drop(commit.upload())
                : folder
                    .tried(commit.upload(), commit.digest(), commit.parts())
                    .compose(right ->
                        table.commit(
                            new Bundle(
                                commit.digest(), commit.upload(), commit.parts(), clock.now())))
                    .recover(failure ->
                        table
                            .drop(commit.upload())
                            .compose(dropped -> Future.failedFuture(failure))))
        .map(new Done());
  }

  private Future<Done> keep(BundleFolder folder, CodeBundles.Keep keep) {
    Set<String> used = Set.copyOf(keep.digests());
    Instant now = clock.now();
    return table
        .all()
        .compose(all ->
            Future.join(
                all.stream()
                    .filter(bundle -> !used.contains(bundle.digest()))
                    .filter(bundle -> bundle.at().isBefore(now.minus(UNUSED_LIFE)))
                    .map(bundle ->
                        table
                            .dropUnused(bundle)
                            .compose(gone ->
                                gone ? folder.delete(bundle.digest()) : Future.succeededFuture()))
                    .toList()))
        .compose(dropped -> table.dropLeft(now.minus(UPLOAD_LIFE)))
        .map(new Done());
  }
}
