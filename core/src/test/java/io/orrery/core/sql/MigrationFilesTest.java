package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that no migration takes away what the release before needs, so that servers of both may
 * work with one database while they are upgraded, and the older one may be started again.
 */
class MigrationFilesTest {
  private static final Pattern ADDS =
      Pattern.compile(
          "create table .*|create index .*|drop index .*|insert into .*|update .*"
              + "|alter table \\S+ alter column \\S+ set storage .*"
              + "|alter table (?!.*not null)(.*) add column .*"
              + "|alter table (.*) add column .* not null default .*");
  private static final Pattern UNIQUE = Pattern.compile("create unique index (\\w+) on (\\w+).*");

  private static List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of("..").toAbsolutePath().normalize())) {
      for (Path module : modules.toList()) {
        Path resources = module.resolve("src/main/resources");
        if (Files.isDirectory(resources)) {
          try (Stream<Path> all = Files.walk(resources)) {
            all.filter(file -> file.toString().endsWith(".sql")).forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  /** The statements that an older program may not survive. */
  static List<String> breaking(String sql) {
    String plain = sql.replaceAll("(?m)--.*$", "").toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>();
    for (String each : plain.split(";")) {
      String statement = each.strip().replaceAll("\\s+", " ");
      Matcher unique = UNIQUE.matcher(statement);
      boolean adds =
          statement.isEmpty()
              || ADDS.matcher(statement).matches()
              || (unique.matches()
                  && (plain.contains("create table " + unique.group(2) + " ")
                      || plain.contains("drop index " + unique.group(1) + ";")));
      if (!adds) {
        found.add(statement);
      }
    }
    return found;
  }

  @Test
  void aMigrationThatIsNotNamedBreakingOnlyAdds() throws Exception {
    List<Path> files = files();
    assertThat(files).hasSizeGreaterThan(30);
    for (Path file : files) {
      if (!file.getFileName().toString().contains("-breaking.")) {
        assertThat(breaking(Files.readString(file))).as(file.toString()).isEmpty();
      }
    }
  }

  @Test
  void whatTakesAwayIsSeen() {
    assertThat(breaking("alter table a drop column b; drop table c")).hasSize(2);
    assertThat(breaking("alter table a rename column b to c")).hasSize(1);
    assertThat(breaking("alter table a add column b text not null")).hasSize(1);
    assertThat(breaking("create unique index i on a (b)")).hasSize(1);
    assertThat(
            breaking(
                "alter table a add column b text not null default ''; alter table a add column c"
                    + " text; create table d (e text); create unique index i on d (e)"))
        .isEmpty();
  }
}
