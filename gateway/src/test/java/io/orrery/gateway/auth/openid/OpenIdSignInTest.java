package io.orrery.gateway.auth.openid;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.VirtualClock;
import io.orrery.gateway.auth.openid.OpenIdSignIn.Answer;
import io.orrery.gateway.auth.openid.OpenIdSignIn.Begun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signs in at a provider of the test's own, and changes what goes between. */
class OpenIdSignInTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String CALLBACK =
      "https://orrery.example.com/api/v1/session/openid/callback";

  private final Vertx vertx = Vertx.vertx();
  private final VirtualClock clock = new VirtualClock(NOW);
  private OwnProvider provider;
  private OpenIdSignIn signIn;

  @BeforeEach
  void start() throws Exception {
    provider = new OwnProvider(NOW);
    signIn = signIn(config(provider.issuer(), Set.of("ml-admins")));
  }

  @AfterEach
  void stop() throws Exception {
    signIn.close();
    provider.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private OpenIdSignIn signIn(OpenIdConfig config) {
    return new OpenIdSignIn(vertx, config, new byte[32], clock, new SecureRandom());
  }

  private static OpenIdConfig config(String issuer, Set<String> admins) {
    return new OpenIdConfig(
        issuer,
        OwnProvider.CLIENT,
        OwnProvider.SECRET,
        List.of("openid", "profile"),
        "preferred_username",
        "groups",
        admins);
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.await(20, TimeUnit.SECONDS);
  }

  private static Problem failure(Future<?> future) throws Exception {
    Throwable cause =
        future.<Throwable>map(it -> null).otherwise(it -> it).await(20, TimeUnit.SECONDS);
    assertThat(cause).isNotNull();
    return Problem.of(cause);
  }

  private Begun begin() throws Exception {
    return done(signIn.begin(CALLBACK));
  }

  private Future<OpenIdProfile> end(Begun begun, Map<String, String> brought) {
    return signIn.end(begun.ticket(), answer(brought), CALLBACK);
  }

  private static Answer answer(Map<String, String> brought) {
    return new Answer(
        brought.get("state"), brought.get("code"), brought.get("iss"), brought.get("error"));
  }

  private Future<OpenIdProfile> whole() throws Exception {
    Begun begun = begin();
    return end(begun, provider.authorize(begun.location()));
  }

  // ---- what succeeds -------------------------------------------------------------------------

  @Test
  void aUserComesBackWithNameAndGroups() throws Exception {
    OpenIdProfile ann = done(whole());

    assertThat(ann.name().value()).isEqualTo("ann-smith");
    assertThat(ann.subject()).isEqualTo("7");
    assertThat(ann.displayName()).isEqualTo("Ann Smith");
    assertThat(ann.admin()).isTrue();
  }

  @Test
  void groupsThatTheTokenDoesNotListAreAskedFor() throws Exception {
    provider.claims = it -> it.claim("groups", null);
    provider.userinfo = Map.of("sub", "7", "groups", List.of("staff"));
    assertThat(done(whole()).admin()).isFalse();

    provider.userinfo = Map.of("sub", "8", "groups", List.of("ml-admins"));
    assertThat(failure(whole())).isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aKeyThatTheProviderRotatedToIsFetched() throws Exception {
    done(whole());
    provider.rotate();
    clock.advance(Duration.ofSeconds(11));

    assertThat(done(whole()).name().value()).isEqualTo("ann-smith");
    assertThat(provider.keyRequests).isEqualTo(2);
  }

  @Test
  void forgedKeyNamesDoNotMakeTheKeysBeAskedForAgainAndAgain() throws Exception {
    done(whole());
    provider.published = List.of();
    provider.rotate();
    for (int i = 0; i < 5; i++) {
      assertThat(failure(whole())).isInstanceOf(Problem.Unauthorized.class);
    }
    assertThat(provider.keyRequests).isEqualTo(1);
  }

  // ---- what is refused -----------------------------------------------------------------------

  @Test
  void aStateThatWasNotGivenToThisBrowserIsRefused() throws Exception {
    Begun mine = begin();
    Begun others = begin();
    Map<String, String> brought = provider.authorize(others.location());

    assertThat(failure(end(mine, brought))).isInstanceOf(Problem.Refused.class);
    brought.remove("state");
    assertThat(failure(end(mine, brought))).isInstanceOf(Problem.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 12, 50})
  void aTicketThatWasTamperedWithIsRefused(int at) throws Exception {
    Begun begun = begin();
    Map<String, String> brought = provider.authorize(begun.location());
    char other = begun.ticket().charAt(at) == '2' ? '3' : '2';
    String ticket = begun.ticket().substring(0, at) + other + begun.ticket().substring(at + 1);

    assertThat(failure(signIn.end(ticket, answer(brought), CALLBACK)))
        .isInstanceOf(Problem.Refused.class);
    assertThat(failure(signIn.end(null, answer(brought), CALLBACK)))
        .isInstanceOf(Problem.Refused.class);
  }

  @Test
  void aTicketEndsAfterTenMinutes() throws Exception {
    Begun begun = begin();
    Map<String, String> brought = provider.authorize(begun.location());
    clock.advance(Duration.ofMinutes(10));

    assertThat(failure(end(begun, brought))).isInstanceOf(Problem.Refused.class);
  }

  @Test
  void anotherRedirectAddressIsRefused() throws Exception {
    Begun begun = begin();
    Map<String, String> brought = provider.authorize(begun.location());

    assertThat(failure(signIn.end(begun.ticket(), answer(brought), "https://evil.example/cb")))
        .isInstanceOf(Problem.Refused.class);
    String moved = begun.location().replace("orrery.example.com", "evil.example");
    assertThat(failure(end(begun, provider.authorize(moved))))
        .isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void anotherPkceChallengeIsRefused() throws Exception {
    Begun begun = begin();
    String changed =
        begun.location().replaceAll("code_challenge=[^&]+", "code_challenge=" + "A".repeat(43));

    assertThat(failure(end(begun, provider.authorize(changed))))
        .isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aCodeOfAnotherBrowserIsRefused() throws Exception {
    Begun mine = begin();
    Begun others = begin();
    Map<String, String> brought = provider.authorize(mine.location());
    brought.put("code", provider.authorize(others.location()).get("code"));

    assertThat(failure(end(mine, brought))).isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aCodeIsGoodOnce() throws Exception {
    Begun begun = begin();
    Map<String, String> brought = provider.authorize(begun.location());
    done(end(begun, brought));

    assertThat(failure(end(begun, brought))).isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void anAnswerOfAnotherIssuerOrOfNoneIsRefused() throws Exception {
    Begun begun = begin();
    Map<String, String> brought = provider.authorize(begun.location());
    brought.put("iss", "https://evil.example");
    assertThat(failure(end(begun, brought))).isInstanceOf(Problem.Unauthorized.class);
    brought.remove("iss");
    assertThat(failure(end(begun, brought))).isInstanceOf(Problem.Unauthorized.class);
  }

  private static Arguments claim(String what, UnaryOperator<JWTClaimsSet.Builder> change) {
    return Arguments.of(what, change);
  }

  static Stream<Arguments> wrongClaims() {
    return Stream.of(
        claim("issuer", it -> it.issuer("https://evil.example")),
        claim("no issuer", it -> it.issuer(null)),
        claim("audience", it -> it.audience("another")),
        claim("two audiences", it -> it.audience(List.of(OwnProvider.CLIENT, "another"))),
        claim("party", it -> it.claim("azp", "another")),
        claim("nonce", it -> it.claim("nonce", "another")),
        claim("no nonce", it -> it.claim("nonce", null)),
        claim("ended", it -> it.expirationTime(Date.from(NOW.minusSeconds(61)))),
        claim("no end", it -> it.expirationTime(null)),
        claim("issued later", it -> it.issueTime(Date.from(NOW.plusSeconds(120)))),
        claim("issued long ago", it -> it.issueTime(Date.from(NOW.minusSeconds(900)))),
        claim("not yet", it -> it.notBeforeTime(Date.from(NOW.plusSeconds(120)))),
        claim("no subject", it -> it.subject(null)),
        claim("a number as nonce", it -> it.claim("nonce", 7)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongClaims")
  void aTokenWithAWrongClaimIsRefused(String what, UnaryOperator<JWTClaimsSet.Builder> change)
      throws Exception {
    provider.claims = change;

    assertThat(failure(whole())).as(what).isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aTokenThatIsNotSignedByAKeyOfTheProviderIsRefused() throws Exception {
    Begun begun = begin();
    provider.idToken = provider.unsigned(OwnProvider.nonce(begun.location()));
    assertThat(failure(end(begun, provider.authorize(begun.location()))))
        .isInstanceOf(Problem.Unauthorized.class);

    begun = begin();
    provider.idToken = provider.signedWithThePublicKey(OwnProvider.nonce(begun.location()));
    assertThat(failure(end(begun, provider.authorize(begun.location()))))
        .isInstanceOf(Problem.Unauthorized.class);

    provider.idToken = "no token";
    assertThat(failure(whole())).isInstanceOf(Problem.Unauthorized.class);
  }

  @Test
  void aDocumentOfAnotherIssuerOrWithPlainAddressesIsRefused() throws Exception {
    provider.discovery = Map.of("issuer", "https://evil.example");
    assertThat(failure(signIn.begin(CALLBACK))).isInstanceOf(Problem.Broken.class);

    provider.discovery = Map.of("token_endpoint", "http://evil.example/token");
    assertThat(failure(signIn.begin(CALLBACK))).isInstanceOf(Problem.Broken.class);
  }

  @Test
  void aNameThatIsNoUserNameIsToldToItsOwner() throws Exception {
    provider.claims = it -> it.claim("preferred_username", "安");

    assertThat(failure(whole()).detail()).contains("auth.openId.user");
  }

  @Test
  void aProviderThatCannotBeReachedIsToldAsSuch() throws Exception {
    provider.close();

    assertThat(failure(signIn.begin(CALLBACK))).isInstanceOf(Problem.Unavailable.class);
  }

  @Test
  void theSecretIsInNoAddressAndNoText() throws Exception {
    Begun begun = begin();

    assertThat(begun.location() + begun.ticket() + config("https://id", Set.of()))
        .doesNotContain("client secret")
        .doesNotContain("client+secret");
  }
}
