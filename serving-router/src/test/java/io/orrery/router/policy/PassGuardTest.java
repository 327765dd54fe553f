package io.orrery.router.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.VirtualClock;
import io.orrery.router.policy.PassGuard.Verdict;
import io.orrery.router.route.OriginAccess;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the verdicts about requests for guarded services. */
class PassGuardTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final OriginAccess LAB = new OriginAccess("lab", 1, false);
  private static final String AUTHORITY = "lab.example.com:8080";

  private final OriginPasses passes = new OriginPasses(new byte[32]);
  private final PassGuard guard = new PassGuard(passes, new VirtualClock(NOW));
  private final String shown = "orrery_pass_lab=" + passes.pass("lab", 1, NOW);

  private record Asked(
      String method, String uri, List<String> cookies, @Nullable String origin, boolean upgrades)
      implements GuardedRequest {
    @Override
    public String scheme() {
      return "https";
    }
  }

  private Verdict get(String uri, String... cookies) {
    return guard.judge(new Asked("GET", uri, List.of(cookies), null, false), LAB, AUTHORITY);
  }

  private Verdict change(String method, boolean upgrades, @Nullable String origin) {
    return guard.judge(new Asked(method, "/", List.of(shown), origin, upgrades), LAB, AUTHORITY);
  }

  private static Verdict refused(RouterProblem denial) {
    return new Verdict.Refused(denial);
  }

  @Test
  void aPassIsLookedForAmongTheFirstFourOfItsName() {
    Verdict noPass = refused(RouterProblem.noPass());
    assertThat(get("/")).isEqualTo(noPass);
    assertThat(get("/", "a=1", "b=2; " + shown)).isEqualTo(new Verdict.Granted());
    assertThat(get("/", "orrery_pass_lab=x; ".repeat(3) + shown)).isEqualTo(new Verdict.Granted());
    assertThat(get("/", "orrery_pass_lab=x; ".repeat(4) + shown)).isEqualTo(noPass);
    assertThat(get("/", shown.replace("_lab", "_other"))).isEqualTo(noPass);
  }

  @Test
  void whatMayChangeSomethingComesFromItsOwnPagesOrFromNone() {
    Verdict foreign = refused(RouterProblem.foreignOrigin());
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "get", "Head")) {
      assertThat(change(method, false, null)).as(method).isEqualTo(new Verdict.Granted());
      assertThat(change(method, false, "https://LAB.example.com:8080"))
          .as(method)
          .isEqualTo(new Verdict.Granted());
      for (String origin :
          List.of(
              "https://lab.example.com",
              "https://other.example.com:8080",
              "https://lab.example.com:8080.evil",
              "null",
              "")) {
        assertThat(change(method, false, origin)).as("%s %s", method, origin).isEqualTo(foreign);
      }
    }
    assertThat(change("GET", true, "https://other.example.com:8080")).isEqualTo(foreign);
    assertThat(change("GET", false, "https://other.example.com:8080"))
        .isEqualTo(new Verdict.Granted());
  }

  @Test
  void aTicketIsExchangedByRequestsThatRead() {
    String uri = "/x?a=1&ticket=" + passes.ticket("lab", 1, NOW);
    assertThat(get(uri))
        .isInstanceOfSatisfying(
            Verdict.Exchanged.class,
            exchanged -> {
              assertThat(exchanged.location()).isEqualTo("https://" + AUTHORITY + "/x?a=1");
              assertThat(exchanged.cookie()).startsWith(shown + "; Path=/;").endsWith("; Secure");
            });
    assertThat(guard.judge(new Asked("POST", uri, List.of(), null, false), LAB, AUTHORITY))
        .isEqualTo(refused(RouterProblem.noPass()));
    assertThat(guard.judge(new Asked("GET", uri, List.of(), null, true), LAB, AUTHORITY))
        .isEqualTo(refused(RouterProblem.noPass()));
    assertThat(get("/x?ticket=1.x", shown)).isEqualTo(new Verdict.Granted());
  }

  @Test
  void endpointsGetTheOtherCookies() {
    assertThat(
            PassGuard.passing(
                List.of(
                    "a=1; orrery_session=s;b=2",
                    shown,
                    "orrery_pass_other=x; orrery_pass_=y",
                    " orrery_session = s ; xorrery_session=t")))
        .containsExactly("a=1; b=2", "xorrery_session=t");
  }
}
