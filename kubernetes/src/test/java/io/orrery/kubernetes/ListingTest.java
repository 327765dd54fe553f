package io.orrery.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import org.junit.jupiter.api.Test;

class ListingTest {
  @Test
  void aPageHasItsObjectsAndWhereToGoOn() {
    Listing page =
        listing(
            """
            {"kind":"PodList","metadata":{"resourceVersion":"9","continue":"abc","remainingItemCount":2},
             "items":[{"metadata":{"name":"a"},"status":{"phase":"Running"}},
                      {"metadata":{"name":"b"}, "spec":{"x":[1,2]}}]}
            """);

    assertThat(page.version()).isEqualTo("9");
    assertThat(page.more()).isEqualTo("abc");
    assertThat(page.objects())
        .extracting(object -> object.metadata().name())
        .containsExactly("a", "b");
    assertThat(page.objects().getFirst().status().path("phase").asText()).isEqualTo("Running");
    assertThat(page.objects().getLast().status().isMissingNode()).isTrue();
  }

  @Test
  void thereMayBeNothing() {
    Listing page = listing("{\"items\":null,\"metadata\":{\"resourceVersion\":\"1\"}}");

    assertThat(page.objects()).isEmpty();
    assertThat(page.more()).isEmpty();
  }

  @Test
  void whatIsNoListMayBeOneLater() {
    assertThatThrownBy(() -> listing("<html>Welcome to the proxy</html>"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            failure -> assertThat(failure.problem()).isInstanceOf(Problem.Busy.class));
  }

  private static Listing listing(String text) {
    return Listing.of(new JsonScanner(text));
  }
}
