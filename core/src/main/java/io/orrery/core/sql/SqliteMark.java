package io.orrery.core.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.file.LaggingMark;
import io.orrery.core.file.MarkFile;
import io.orrery.core.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable mark of a SQLite file: a file with {@code .mark} behind its name that says which
 * database it is and what of it is on the disk, so that one that is missing, shorter than it was,
 * damaged or another's is an error at the next start instead of a new beginning.
 *
 * <p>After a clean end it has length and checksum of the whole file. While the store is open it has
 * the last commit of the write-ahead log, at most a moment old. A store that was killed is looked
 * through by SQLite's own {@code quick_check} as well. Files above {@value #CHECKED_BYTES} bytes
 * are compared by their length only, since a start may not take minutes.
 */
final class SqliteMark {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteMark.class);
  private static final long CHECKED_BYTES = 256L << 20;

  /** The state of the file that the mark records. */
  private enum State {
    /** The store is made: nothing is in it yet. */
    FRESH,
    /** Open, or killed while it was. */
    OPEN,
    /** About to be closed: the log goes into the file and away. */
    CLOSING,
    /** Closed, with everything in the one file. */
    CLEAN
  }

  private final Path file;
  private final MarkFile mark;
  private final LaggingMark lagging;
  private final boolean killed;
  private final State before;
  private String id;

  /**
   * The index in shared memory, open as long as the store is: when a process closes any descriptor
   * of a file it loses all of its locks on it, SQLite's too. Then another process that opens the
   * database takes it for one that is used by none, and cuts the index that this one has mapped.
   */
  private @Nullable FileChannel index;

  private SqliteMark(Path file, MarkFile mark, State before, String id) {
    this.file = file;
    this.mark = mark;
    this.lagging = new LaggingMark(mark, this::now);
    this.before = before;
    this.killed = before == State.OPEN || before == State.CLOSING;
    this.id = id;
  }

  /**
   * Compares a file with its mark before SQLite opens it, and marks it as open.
   *
   * @throws io.orrery.core.problem.ProblemException Broken when something that was committed is not
   *     there, with the file, the place and what to do
   */
  static SqliteMark check(Path file) throws IOException {
    Path at = file.resolveSibling(file.getFileName() + ".mark");
    MarkFile.Found found = MarkFile.read(at);
    boolean there = Files.exists(file) && Files.size(file) > 0;
    if (found instanceof MarkFile.Found.Known(JsonNode record)) {
      State state = State.valueOf(record.path("state").asText());
      if (state != State.FRESH) {
        String fault = fault(file, there, state, record);
        if (fault != null) {
          throw broken(fault + "; put it back from a backup, or delete " + at + remedy(there));
        }
      }
      SqliteMark mark =
          new SqliteMark(file, MarkFile.open(at), state, record.path("store").asText());
      JsonNode log = record.get("log");
      mark.mark.writeDurably(mark.record(state == State.FRESH ? State.FRESH : State.OPEN, log));
      return mark;
    }
    if (there) {
      LOG.warn(
          "could not use mark {}: it {}; the length of {} is unchecked, a new mark is written",
          at,
          found instanceof MarkFile.Found.Damaged
              ? "is damaged"
              : "is missing (or the file is of an earlier version)",
          file);
    }
    SqliteMark mark =
        new SqliteMark(file, MarkFile.open(at), State.FRESH, UUID.randomUUID().toString());
    mark.mark.writeDurably(mark.record(State.FRESH, null));
    return mark;
  }

  private static String remedy(boolean there) {
    return there ? " to go on with what is there" : " to begin anew without it";
  }

  private static @Nullable String fault(Path file, boolean there, State state, JsonNode record)
      throws IOException {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    if (!there) {
      return file + (Files.exists(file) ? " is empty" : " is missing");
    }
    if (state == State.CLEAN) {
      long bytes = record.path("bytes").asLong();
      if (Files.size(file) != bytes) {
        return "%s has %d bytes, and had %d when it was closed"
            .formatted(file, Files.size(file), bytes);
      }
      if (record.has("checksum") && record.path("checksum").asLong() != checksum(file)) {
        return file + " is not what it was when it was closed: it is damaged, or another's";
      }
      return Files.exists(log) && Files.size(log) > 0
          ? log + " is not of this database, which was closed without one"
          : null;
    }
    JsonNode known = record.get("log");
    if (state == State.OPEN && known != null && known.isObject()) {
      String fault =
          WalFile.fault(
              log,
              new WalFile.Commit(
                  known.path("salt1").asInt(),
                  known.path("salt2").asInt(),
                  known.path("frames").asInt(),
                  known.path("sum1").asInt(),
                  known.path("sum2").asInt()));
      return fault == null ? null : log + " " + fault;
    }
    return null;
  }

  /**
   * Compares the database itself with its mark.
   *
   * @throws io.orrery.core.problem.ProblemException Broken when it is another one, or damaged
   */
  void identify(SqliteSession session) throws SQLException, IOException {
    if (killed && Files.size(file) <= CHECKED_BYTES) {
      String check = session.text("pragma quick_check(1)");
      if (!"ok".equals(check)) {
        throw broken(file + " is damaged (" + check + "); put it back from a backup");
      }
    }
    session.run("create table if not exists store_identity (id text not null)");
    String found = session.text("select id from store_identity");
    if (found == null && before == State.FRESH) {
      session.run("insert into store_identity values ('" + id + "')");
    } else if (before == State.FRESH) {
      id = found == null ? id : found;
    } else if (!id.equals(found)) {
      throw broken(
          "%s is another home's database (%s, and %s was expected); put the right one back, or delete %s.mark to go on with this one"
              .formatted(file, found, id, file));
    }
    mark.writeDurably(record(State.OPEN, log()));
  }

  /** Something was committed. */
  void committed() {
    lagging.advance();
  }

  /** To be called before the connections are closed. */
  void closing() {
    lagging.stop();
    put(State.CLOSING);
  }

  /** To be called when all are closed. */
  void closed() {
    if (!Files.exists(file.resolveSibling(file.getFileName() + "-wal"))) {
      put(State.CLEAN);
    }
    abandon();
  }

  /** Releases the file and leaves it as it is. */
  void abandon() {
    lagging.stop();
    try {
      mark.close();
      closeIndex();
    } catch (IOException e) {
      LOG.debug("closing {}", file, e);
    }
  }

  private synchronized void closeIndex() throws IOException {
    if (index != null) {
      index.close();
      index = null;
    }
  }

  private void put(State state) {
    try {
      ObjectNode record = record(state, null);
      if (state == State.CLEAN) {
        record.put("bytes", Files.size(file));
        if (Files.size(file) <= CHECKED_BYTES) {
          record.put("checksum", checksum(file));
        }
      }
      mark.writeDurably(record);
    } catch (IOException e) {
      LOG.warn("could not mark {} as {}: {}", file, state, e.toString());
    }
  }

  private @Nullable JsonNode now() {
    JsonNode log = log();
    return log == null ? null : record(State.OPEN, log);
  }

  private synchronized @Nullable JsonNode log() {
    try {
      Path shared = file.resolveSibling(file.getFileName() + "-shm");
      FileChannel opened = index;
      if (opened == null && Files.exists(shared)) {
        opened = FileChannel.open(shared, StandardOpenOption.READ);
        index = opened;
      }
      WalFile.Commit commit = opened == null ? null : WalFile.committed(opened);
      return commit == null
          ? null
          : JsonNodeFactory.instance
              .objectNode()
              .put("salt1", commit.salt1())
              .put("salt2", commit.salt2())
              .put("frames", commit.frames())
              .put("sum1", commit.sum1())
              .put("sum2", commit.sum2());
    } catch (IOException e) {
      LOG.debug("the index of {} cannot be read", file, e);
      return null;
    }
  }

  private ObjectNode record(State state, @Nullable JsonNode log) {
    ObjectNode record =
        JsonNodeFactory.instance.objectNode().put("store", id).put("state", state.name());
    record.set("log", log);
    return record;
  }

  private static long checksum(Path file) throws IOException {
    CRC32C sum = new CRC32C();
    byte[] piece = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        sum.update(piece, 0, read);
      }
    }
    return sum.getValue();
  }

  private static RuntimeException broken(String what) {
    return new Problem.Broken(what).toException();
  }
}
