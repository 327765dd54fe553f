package io.orrery.core.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;

/** Writes a database that other programs read, and that is not changed. Blocks. */
public final class SqliteExport {
  private SqliteExport() {}

  /**
   * Writes a file anew, with what these statements leave in an empty database. A reader sees the
   * old file or the new one; only the owner may read it. Two writers of one file must not do so at
   * once.
   *
   * @param file in a directory that exists; the name beside it that ends with .new is used up
   * @throws IOException when it cannot be written
   */
  public static void write(Path file, List<Statement> statements) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    // One that a crash left behind has tables already.
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    SQLiteConfig config = new SQLiteConfig();
    // Nothing may lie beside the file when it is moved.
    config.setJournalMode(JournalMode.OFF);
    try (Connection connection = config.createConnection("jdbc:sqlite:" + fresh.toAbsolutePath())) {
      for (Statement statement : statements) {
        execute(connection, statement);
      }
    } catch (SQLException e) {
      throw new IOException(file + " cannot be written: " + e.getMessage(), e);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void execute(Connection connection, Statement statement) throws SQLException {
    try (PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
      int at = 1;
      for (@Nullable Object argument : statement.arguments()) {
        prepared.setObject(at++, argument);
      }
      prepared.execute();
    }
  }
}
