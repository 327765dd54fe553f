package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.OriginPasses;
import io.orrery.router.route.OriginAccess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Checks that a pass which was good is judged no milder the next time. */
class KnownPassesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final OriginAccess LAB = new OriginAccess("lab", 1, false);

  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final KnownPasses known = new KnownPasses(passes);

  @Test
  void aPassThatWasSeenEndsWhenItsTimeIsOver() {
    String pass = passes.pass("lab", 1, NOW);
    assertThat(known.isGood(pass, LAB, NOW)).isTrue();

    assertThat(known.isGood(pass, LAB, NOW.plus(OriginPasses.PASS).minusSeconds(1))).isTrue();
    assertThat(known.isGood(pass, LAB, NOW.plus(OriginPasses.PASS))).isFalse();
  }

  @Test
  void itIsGoodForItsAudienceAndEpochAlone() {
    String pass = passes.pass("lab", 1, NOW);
    assertThat(known.isGood(pass, LAB, NOW)).isTrue();

    assertThat(known.isGood(pass, new OriginAccess("lab", 2, false), NOW)).isFalse();
    assertThat(known.isGood(pass, new OriginAccess("other", 1, false), NOW)).isFalse();
    assertThat(known.isGood(pass, LAB, NOW)).isTrue();
  }

  @Test
  void aTextThatIsNoneStaysNoneAndManyAreNotKept() {
    String forged = passes.pass("lab", 1, NOW).replaceFirst("..$", "AA");
    for (int i = 0; i < 2; i++) {
      assertThat(known.isGood(forged, LAB, NOW)).isFalse();
      assertThat(known.isGood("", LAB, NOW)).isFalse();
      assertThat(known.isGood("1.", LAB, NOW)).isFalse();
    }

    String first = passes.pass("lab", 1, NOW);
    for (int i = 0; i <= 2 * KnownPasses.MOST; i++) {
      Instant at = NOW.plus(Duration.ofSeconds(i));
      assertThat(known.isGood(passes.pass("lab", 1, at), LAB, at)).isTrue();
    }
    assertThat(known.isGood(first, LAB, NOW)).isTrue();
  }
}
