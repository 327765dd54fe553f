package io.orrery.core.sql;

import io.orrery.core.process.UserHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL's password file: {@code $PGPASSFILE}, else {@code ~/.pgpass}. Lines of {@code
 * host:port:database:user:password}, where {@code *} is anything and a backslash takes the next
 * character as it is; the first line that fits counts. See "The Password File" in PostgreSQL's
 * documentation of libpq.
 */
final class PasswordFile {
  private static final Logger LOG = LoggerFactory.getLogger(PasswordFile.class);

  private static final Set<PosixFilePermission> FOR_OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final Path file;

  private PasswordFile(Path file) {
    this.file = file;
  }

  static PasswordFile of(Map<String, String> environment) {
    String named = environment.get("PGPASSFILE");
    return new PasswordFile(
        named == null ? UserHome.of(environment).resolve(".pgpass") : Path.of(named));
  }

  Optional<String> find(String host, int port, String database, String user) {
    List<String> wanted = List.of(host, String.valueOf(port), database, user);
    try {
      if (!Files.isRegularFile(file)) {
        return Optional.empty();
      }
      if (Files.getPosixFilePermissions(file).stream().anyMatch(FOR_OTHERS::contains)) {
        LOG.warn(
            "could not use password file {}: other users may read it, run chmod 600 {}",
            file,
            file);
        return Optional.empty();
      }
      return Files.readAllLines(file).stream()
          .filter(line -> !line.startsWith("#"))
          .map(PasswordFile::fields)
          .filter(fields -> fits(fields, wanted))
          .map(fields -> fields.get(4))
          .findFirst();
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn("could not read password file {}: {}", file, e.toString());
      return Optional.empty();
    }
  }

  private static boolean fits(List<String> fields, List<String> wanted) {
    if (fields.size() != 5) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!fields.get(i).equals("*") && !fields.get(i).equals(wanted.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && i + 1 < line.length()) {
        field.append(line.charAt(++i));
      } else if (c == ':') {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }
}
