package io.orrery.orchestrator.bundle;

import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows of uploaded code. */
public final class BundleTable {
  public static final Migrations MIGRATIONS =
      new Migrations("bundles", BundleTable.class, List.of("0001-bundles.sql", "0002-uses.sql"));

  private final Store store;

  BundleTable(Store store) {
    this.store = store;
  }

  /** A stored bundle. */
  record Bundle(String digest, String upload, int parts, Instant at) {}

  Future<Optional<Bundle>> find(String digest) {
    return store
        .read(
            Statement.of(
                "select digest, upload, parts, at from code_bundles where digest = ?", digest),
            BundleTable::bundle)
        .map(rows -> rows.stream().findFirst());
  }

  Future<List<Bundle>> all() {
    return store.read(
        Statement.of("select digest, upload, parts, at from code_bundles"), BundleTable::bundle);
  }

  /** A part of an upload; empty when it is not there. */
  Future<Optional<byte[]>> part(String upload, int number) {
    return store
        .read(
            Statement.of(
                "select bytes from code_parts where upload = ? and number = ?", upload, number),
            row -> row.blob("bytes"))
        .map(rows -> rows.stream().findFirst());
  }

  /** The bytes of each part of an upload, in their order. */
  Future<List<Long>> sizes(String upload) {
    return store.read(
        Statement.of(
            "select length(bytes) as size from code_parts where upload = ? order by number",
            upload),
        row -> row.integer("size"));
  }

  Future<Void> add(String upload, int number, byte[] bytes, Instant now) {
    return store.write(
        List.of(
            Statement.of(
                "insert into code_parts (upload, number, at, bytes) values (?, ?, ?, ?)"
                    + " on conflict (upload, number) do nothing",
                upload,
                number,
                now.toEpochMilli(),
                bytes)));
  }

  /** Makes a bundle of an upload, unless there is one of this digest. */
  Future<Void> commit(Bundle bundle) {
    return store.write(
        List.of(
            Statement.of(
                "insert into code_bundles (digest, upload, parts, at) values (?, ?, ?, ?)"
                    + " on conflict (digest) do nothing",
                bundle.digest(),
                bundle.upload(),
                bundle.parts(),
                bundle.at().toEpochMilli())));
  }

  /** Keeps a bundle for as long as if it had been uploaded now. */
  Future<Void> renew(String digest, Instant now) {
    return store.write(
        List.of(
            Statement.of(
                "update code_bundles set at = ? where digest = ?", now.toEpochMilli(), digest)));
  }

  /**
   * Drops a bundle, unless it has a user or was renewed.
   *
   * @return whether it is gone
   */
  Future<Boolean> dropUnused(Bundle bundle) {
    return store
        .write(
            List.of(
                Statement.of(
                    "delete from code_bundles where digest = ? and at = ?"
                        + " and not exists (select 1 from code_uses where digest = ?)",
                    bundle.digest(),
                    bundle.at().toEpochMilli(),
                    bundle.digest()),
                Statement.of(
                    "delete from code_parts where upload = ?"
                        + " and upload not in (select upload from code_bundles)",
                    bundle.upload())))
        .compose(dropped -> find(bundle.digest()))
        .map(found -> found.isEmpty());
  }

  Future<Void> drop(String upload) {
    return store.write(List.of(dropParts(upload)));
  }

  /** Drops the parts of uploads that were begun before an instant and are no bundle. */
  Future<Void> dropLeft(Instant before) {
    return store.write(
        List.of(
            Statement.of(
                "delete from code_parts where at < ?"
                    + " and upload not in (select upload from code_bundles)",
                before.toEpochMilli())));
  }

  private static Statement dropParts(String upload) {
    return Statement.of("delete from code_parts where upload = ?", upload);
  }

  private static Bundle bundle(Row row) {
    return new Bundle(
        row.text("digest"),
        row.text("upload"),
        Math.toIntExact(row.integer("parts")),
        row.instant("at"));
  }
}
