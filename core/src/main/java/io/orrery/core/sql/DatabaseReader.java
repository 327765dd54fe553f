package io.orrery.core.sql;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * A connection that reads a database beside the server that has it, and changes nothing. Blocks;
 * belongs to one thread.
 */
public sealed interface DatabaseReader extends AutoCloseable permits SqliteFile, PostgresReader {
  /** Which SQL is spoken here. */
  Engine engine();

  /**
   * All rows of an answer.
   *
   * @throws IOException when the database does not answer, or refuses
   */
  <T> List<T> read(String sql, Function<Row, T> each) throws IOException;

  @Override
  void close() throws IOException;
}
