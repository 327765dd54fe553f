package io.orrery.core.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.sql.TextMentions.Form;
import io.orrery.core.sql.TextMentions.Place;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows that name words, in columns of several tables. */
class TextMentionsTest {
  private static final Form NUMBERS = new Form("n:", Pattern.compile("(n:[0-9]+)"));

  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private Store store;

  @BeforeEach
  void open() throws Exception {
    store = SqliteStore.open(vertx, directory.resolve("test.db"));
    write("create table builds (name text primary key, digest text, spec text not null)");
    write("create table runs (run text primary key, spec text not null)");
  }

  @AfterEach
  void close() throws Exception {
    Await.success(store.close());
    Await.success(vertx.close());
  }

  private void write(String sql) throws Exception {
    Await.success(store.write(List.of(Statement.of(sql))));
  }

  private Map<String, String> named(String... words) throws Exception {
    TextMentions mentions =
        new TextMentions(
            store,
            List.of(
                new Place("build", "builds", "name", List.of("digest", "spec")),
                new Place("run", "runs", "run", "spec")));
    return Await.success(mentions.of(List.of(words), NUMBERS));
  }

  @Test
  void aRowThatNamesAWordInTwoColumnsCountsOnce() throws Exception {
    write("insert into builds values ('b1', 'n:1', '{\"image\": \"n:1\", \"base\": \"n:2\"}')");

    assertThat(named("n:1", "n:2", "n:3"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("n:1", "build b1", "n:2", "build b1"));
  }

  @Test
  void aColumnMayBeNullAndOtherRowsAreCounted() throws Exception {
    write("insert into builds values ('b1', null, 'n:1')");
    write("insert into builds values ('b2', 'n:1', '{}')");
    write("insert into runs values ('r1', 'n:1 and n:1')");

    assertThat(named("n:1")).containsExactlyEntriesOf(Map.of("n:1", "build b1 and 2 more"));
  }

  @Test
  void moreRowsThanAPageAreAllCounted() throws Exception {
    Await.success(
        store.write(
            IntStream.range(0, 201)
                .mapToObj(i ->
                    Statement.of(
                        "insert into builds values (?, 'n:1', 'n:1')", "b%03d".formatted(i)))
                .toList()));

    assertThat(named("n:1")).containsExactlyEntriesOf(Map.of("n:1", "build b000 and 200 more"));
  }

  @Test
  void wordsOfSeveralFormsAreFoundInTextsThatHaveOneOfTheParts() throws Exception {
    write("insert into builds values ('b1', null, 'FROM a/b:1 and c')");
    write("insert into builds values ('b2', 'n:7', 'nothing')");
    write("insert into runs values ('r1', 'a/b:1')");
    write("insert into runs values ('r2', 'a:b:1')");
    TextMentions mentions =
        new TextMentions(
            store,
            List.of(
                new Place("build", "builds", "name", List.of("digest", "spec")),
                new Place("run", "runs", "run", "spec")));

    assertThat(
            Await.success(
                mentions.find(
                    List.of("a/b", "n:7"),
                    text -> text.contains("n:7") ? Set.of("seven") : Set.of("b", "one"))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("seven", "build b2", "b", "build b1 and 1 more", "one", "build b1 and 1 more"));
    assertThat(Await.success(mentions.find(List.of(), text -> Set.of("x")))).isEmpty();
  }
}
