package io.orrery.orchestrator.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads the values of secrets, and signs. */
class WebhookTest {
  @Test
  void theSignatureIsThatOfStandardWebhooks() {
    // The example of its reference libraries.
    Webhook webhook =
        Webhook.read("https://example.com/hook whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .orElseThrow();

    assertThat(
            webhook.signature(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                Instant.ofEpochSecond(1_614_265_330),
                "{\"test\": 2432232314}"))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void anAddressIsReadIntoItsParts() {
    Webhook plain = Webhook.read(" http://[2001:db8::1]:8080\n key of mine ").orElseThrow();

    assertThat(plain.tls()).isFalse();
    assertThat(plain.host()).isEqualTo("2001:db8::1");
    assertThat(plain.port()).isEqualTo(8080);
    assertThat(plain.target()).isEqualTo("/");
    assertThat(plain.key()).isEqualTo("key of mine".getBytes(StandardCharsets.UTF_8));
    Webhook secure = Webhook.read("HTTPS://example.com/a%20b?c=d#e").orElseThrow();
    assertThat(secure.tls()).isTrue();
    assertThat(secure.port()).isEqualTo(443);
    assertThat(secure.target()).isEqualTo("/a%20b?c=d");
    assertThat(Webhook.read("https://example.com/ä").orElseThrow().target()).isEqualTo("/%C3%A4");
    assertThat(Webhook.read("https://example.com whsec_").orElseThrow().key()).isNotEmpty();
  }

  @Test
  void withoutAKeyTheAddressIsTheKey() {
    assertThat(Webhook.read("https://example.com/t0k3n").orElseThrow().key())
        .isEqualTo("https://example.com/t0k3n".getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hook",
        "ftp://example.com/",
        "file:///etc/passwd",
        "https://",
        "http://ann:pw@example.com/",
        "http://example.com:99999/",
        "http://a%0d%0ab/",
        "mailto:ann@example.com"
      })
  void anythingElseIsNoAddress(String value) {
    assertThat(Webhook.read(value)).isEmpty();
  }

  @Test
  void itsTextHasNothingOfTheSecret() {
    assertThat(Webhook.read("https://example.com/t0k3n key").orElseThrow().toString())
        .doesNotContain("example", "t0k3n", "key");
  }
}
