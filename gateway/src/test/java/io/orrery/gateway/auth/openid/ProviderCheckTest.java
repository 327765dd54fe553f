package io.orrery.gateway.auth.openid;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.check.CheckResult;
import io.orrery.core.check.CheckResult.State;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shows what {@code orrery doctor} says of a provider. */
class ProviderCheckTest {
  private final Vertx vertx = Vertx.vertx();
  private OwnProvider provider;

  @BeforeEach
  void start() throws Exception {
    provider = new OwnProvider(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @AfterEach
  void stop() throws Exception {
    provider.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private CheckResult check(String issuer) {
    return ProviderCheck.of(
        vertx,
        new OpenIdConfig(
            issuer,
            OwnProvider.CLIENT,
            OwnProvider.SECRET,
            List.of("openid"),
            "name",
            "groups",
            Set.of()));
  }

  @Test
  void aProviderWithItsDocumentAndKeysIsGood() {
    CheckResult result = check(provider.issuer());

    assertThat(result.state()).as(result.found()).isEqualTo(State.OK);
    assertThat(result.found()).contains(provider.issuer(), "1 keys");
  }

  @Test
  void anIssuerThatIsWrittenOtherwiseIsNamed() {
    CheckResult result = check(provider.issuer() + "/");

    assertThat(result.state()).isEqualTo(State.FAILED);
    assertThat(result.found())
        .contains("'" + provider.issuer() + "', not of '" + provider.issuer() + "/'");
    assertThat(result.advice()).contains("auth.openId.issuer", "to the letter");
  }

  @Test
  void anAddressThatIsMissingOrUnsafeIsNamed() {
    provider.discovery = Map.of("token_endpoint", "http://elsewhere.example/token");
    assertThat(check(provider.issuer()).found())
        .contains("token_endpoint is 'http://elsewhere.example/token'");

    provider.discovery = Map.of("jwks_uri", "");
    assertThat(check(provider.issuer()).found()).contains("jwks_uri is ''");
  }

  @Test
  void aProviderWithoutKeysOrWithoutAnAnswerIsNamed() {
    provider.published = List.of();
    assertThat(check(provider.issuer()).found()).contains("/keys are none");

    CheckResult missing = check(provider.issuer() + "/realms/none");
    assertThat(missing.found()).contains("/realms/none/.well-known", "status 404");

    CheckResult away = check("http://127.0.0.1:1");
    assertThat(away.found()).contains("http://127.0.0.1:1/.well-known", "refused");
    assertThat(away.advice()).contains("network");
    assertThat(List.of(missing, away)).noneMatch(each -> each.found().contains(OwnProvider.SECRET));
  }
}
