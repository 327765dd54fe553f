package io.orrery.core.sql;

import io.orrery.core.async.AsyncLoop;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows whose texts name things by words of one form, such as digests. A text is searched as it
 * is stored, so a word is found wherever in a document it stands.
 */
public final class TextMentions {
  private static final int PAGE = 200;

  private final Store store;
  private final List<Place> places;

  public TextMentions(Store store, List<Place> places) {
    this.store = store;
    this.places = List.copyOf(places);
  }

  /**
   * A table with texts. Each is listed once, with all its columns: a row that names a word in
   * several of them counts once.
   *
   * @param kind of the rows, in words, such as {@code experiment}
   * @param id an expression of SQL: a text that tells rows apart
   * @param texts the columns that are searched, 1 or more; each may be null
   */
  public record Place(String kind, String table, String id, List<String> texts) {
    public Place {
      texts = List.copyOf(texts);
    }

    /** A table with one column of texts. */
    public Place(String kind, String table, String id, String text) {
      this(kind, table, id, List.of(text));
    }

    private String body() {
      return texts.stream()
          .map("coalesce(%s, '')"::formatted)
          .collect(Collectors.joining(" || ' ' || "));
    }
  }

  /**
   * A form of words.
   *
   * @param like what each text with such a word contains, a pattern of {@code like}
   * @param word finds words; its first group is the word
   */
  public record Form(String like, Pattern word) {}

  /** The rows that name a word: one of them, and how many others there are. */
  private record Users(String first, int others) {
    Users more() {
      return new Users(first, others + 1);
    }

    String words() {
      return others == 0 ? first : "%s and %d more".formatted(first, others);
    }
  }

  private record Row(String id, Set<String> words) {}

  /**
   * Looks for names in all places. The word by which texts know a name is what stands after its
   * last slash.
   *
   * @return those that are named, each with what names it, such as {@code run r7f3 and 2 more}
   */
  public Future<Map<String, String>> of(Collection<String> names, Form form) {
    Set<String> wanted = names.stream().map(TextMentions::word).collect(Collectors.toSet());
    if (wanted.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return look(List.of(form.like()), text -> words(text, wanted, form.word()))
        .map(found -> {
          Map<String, String> all = new HashMap<>();
          for (String name : names) {
            Users users = found.get(word(name));
            if (users != null) {
              all.put(name, users.words());
            }
          }
          return all;
        });
  }

  /**
   * Looks for words of any form in all places.
   *
   * @param likes what texts with such words contain: patterns of {@code like}, one of which is
   *     enough; at most some hundreds
   * @param words finds the words of a text
   * @return the words that were found, each with what names it
   */
  public Future<Map<String, String>> find(
      Collection<String> likes, Function<String, Set<String>> words) {
    return likes.isEmpty()
        ? Future.succeededFuture(Map.of())
        : look(likes, words)
            .map(found ->
                found.entrySet().stream()
                    .collect(
                        Collectors.toUnmodifiableMap(
                            Map.Entry::getKey, entry -> entry.getValue().words())));
  }

  private Future<Map<String, Users>> look(
      Collection<String> likes, Function<String, Set<String>> words) {
    Map<String, Users> found = new HashMap<>();
    return AsyncLoop.inTurn(places, place -> look(place, likes, words, found)).map(found);
  }

  private static String word(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private Future<Void> look(
      Place place,
      Collection<String> likes,
      Function<String, Set<String>> words,
      Map<String, Users> found) {
    String sql =
        "select id, body from (select %1$s as id, %2$s as body from %3$s) texts where (%4$s) and id > ? order by id limit %5$d"
            .formatted(
                place.id(),
                place.body(),
                place.table(),
                String.join(" or ", Collections.nCopies(likes.size(), "body like ?")),
                PAGE);
    return AsyncLoop.pages(after -> {
      List<@Nullable Object> arguments = new ArrayList<>(likes.size() + 1);
      likes.forEach(like -> arguments.add("%" + like + "%"));
      arguments.add(after == null ? "" : after);
      return store
          .read(
              new Statement(sql, arguments, null),
              row -> new Row(row.text("id"), words.apply(row.text("body"))))
          .map(rows -> {
            for (Row row : rows) {
              String user = place.kind() + " " + row.id();
              for (String word : row.words()) {
                found.merge(word, new Users(user, 0), (before, added) -> before.more());
              }
            }
            return next(rows);
          });
    });
  }

  private static @Nullable String next(List<Row> rows) {
    return rows.size() < PAGE ? null : rows.getLast().id();
  }

  private static Set<String> words(String text, Set<String> wanted, Pattern form) {
    Set<String> words = new HashSet<>();
    Matcher each = form.matcher(text);
    while (each.find()) {
      if (wanted.contains(each.group(1))) {
        words.add(each.group(1));
      }
    }
    return words;
  }
}
