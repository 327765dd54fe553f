package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The prefix that is removed from paths. */
class PathStripTest {
  private static final int ROUNDS = 20_000;

  @ParameterizedTest
  @CsvSource({
    "/x, /",
    "/x/, /",
    "/x/y, /y",
    "/x?q=/x, /?q=/x",
    "/x/?q, /?q",
    "/x//y, //y",
    "/x/x/y, /x/y",
    "/xy, /xy",
    "/X/y, /X/y",
    "/, /",
    "/y/x, /y/x",
    "/?/x, /?/x",
    "*, *",
    "/%78/y, /%78/y"
  })
  void onlyWholeSegmentsAtTheBeginningAreRemoved(String uri, String expected) {
    assertThat(new PathStrip("/x").of(uri)).isEqualTo(expected);
  }

  /** Whatever the path and the prefix are. */
  @Test
  void whatIsLeftIsAPathThatThePrefixMakesWholeAgain() {
    RandomGenerator random = new SplittableRandom(7);
    for (int round = 0; round < ROUNDS; round++) {
      List<String> segments = segments(random, 1 + random.nextInt(3));
      String prefix = ("/" + String.join("/", segments)).replaceFirst("/+$", "");
      String uri = "/" + String.join("/", segments(random, random.nextInt(5))) + query(random);

      String left = new PathStrip(prefix).of(uri);

      assertThat(left).startsWith("/");
      assertThat(query(left)).isEqualTo(query(uri));
      if (left.equals(uri)) {
        assertThat(isBelow(path(uri), prefix)).isFalse();
      } else {
        String whole = prefix + path(left);
        assertThat(whole.equals(path(uri)) || whole.equals(path(uri) + "/")).as(uri).isTrue();
        assertThat(isBelow(path(uri), prefix)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "x", "//", "/x//", "/a b", "/x?y", ""})
  void aPrefixThatNoPathHasIsRefused(String prefix) {
    assertThatThrownBy(() ->
            RouteReader.read(
                "services: [{name: a, path: {strip: '" + prefix + "'}}]", "example.com"))
        .hasMessageContaining("strip");
  }

  @Test
  void aSlashAtTheEndOfThePrefixMakesNoDifference() {
    RouteTable table =
        RouteReader.read("services: [{name: a, path: {strip: /x/}}, {name: b}]", "example.com");

    assertThat(table.services().getFirst().strip()).isEqualTo(new PathStrip("/x"));
    assertThat(table.services().getLast().strip()).isNull();
  }

  private static boolean isBelow(String path, String prefix) {
    return path.equals(prefix) || path.startsWith(prefix + "/");
  }

  private static List<String> segments(RandomGenerator random, int count) {
    List<String> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      segments.add(List.of("a", "ab", "%2F", "", "a.b").get(random.nextInt(i == 0 ? 3 : 5)));
    }
    return segments;
  }

  private static String query(RandomGenerator random) {
    return List.of("", "?", "?a=/a/ab", "?/a").get(random.nextInt(4));
  }

  private static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  private static String query(String uri) {
    return uri.substring(path(uri).length());
  }
}
