package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.keeper.KeptLimits;
import io.orrery.core.access.UserRole;
import io.orrery.core.bus.ServerRole;
import io.orrery.core.code.CodeLimits;
import io.orrery.gateway.auth.AccessToken;
import io.orrery.gateway.http.BehindProxy;
import io.orrery.orchestrator.run.ArtifactSettings;
import io.orrery.router.route.ClientLimits;
import io.orrery.router.route.TcpListen;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BindingTest {
  private static final Path HOME = Path.of("/srv/orrery");
  private static final AccessToken TOKEN = new AccessToken("ci", UserRole.ADMIN, "ab".repeat(32));

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "::1"})
  void loopbackNeedsNoToken(String host) throws Exception {
    Binding binding = Binding.of(config(host, null, List.of()), HOME);

    assertThat(binding.options().allowedHosts()).contains("localhost", "127.0.0.1", "[::1]");
    assertThat(binding.warning()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "192.0.2.7", "::"})
  void beyondLoopbackNothingStartsWithoutTokens(String host) {
    assertThatThrownBy(() -> Binding.of(config(host, null, List.of()), HOME))
        .hasMessageContaining("http.host is " + host)
        .hasMessageContaining("orrery token create")
        .hasMessageContaining("/srv/orrery/orrery.yml")
        .hasMessageContaining("sha256:");
  }

  @Test
  void theBoundAndTheAdvertisedNameAreAnswered() throws Exception {
    Binding binding =
        Binding.of(config("192.0.2.7", "https://tune.example:8443/x", List.of(TOKEN)), HOME);

    assertThat(binding.options().allowedHosts())
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "[::1]", "192.0.2.7", "tune.example");
    assertThat(binding.options().advertisedOrigin()).isEqualTo("https://tune.example:8443");
    assertThat(binding.host()).isEqualTo("192.0.2.7");
    assertThat(binding.warning()).hasValueSatisfying(w -> assertThat(w).contains("in the clear"));
  }

  @Test
  void anIpv6AddressIsCalledByItsShortestForm() throws Exception {
    Binding binding = Binding.of(config("2001:db8:0:0:0:0:0:1", null, List.of(TOKEN)), HOME);

    assertThat(binding.options().allowedHosts()).contains("[2001:db8::1]");
  }

  @Test
  void anUnknownHostIsRefused() {
    assertThatThrownBy(() -> Binding.of(config("no.such.invalid", null, List.of(TOKEN)), HOME))
        .hasMessageContaining("no.such.invalid");
  }

  private static ServerConfig config(String host, String advertise, List<AccessToken> tokens) {
    return new ServerConfig(
        host,
        0,
        advertise,
        BehindProxy.NONE,
        null,
        null,
        tokens,
        AccountSources.NONE,
        SandboxSetupTest.UNSAID,
        new RouterConfig(
            "127.0.0.1",
            8000,
            "orrery.localhost",
            null,
            ClientLimits.standard(),
            TcpListen.STANDARD,
            null),
        null,
        Duration.ofMinutes(2),
        CodeLimits.DEFAULT,
        KeptLimits.DEFAULT,
        100L << 30,
        Map.of(),
        QuotaKeys.Settings.STANDARD,
        Map.of(),
        null,
        ServerRole.all(),
        new AlertConfig(List.of(), null),
        BuildKeys.Settings.STANDARD,
        List.of(),
        new ArtifactSettings.Home(),
        List.of(),
        Telemetry.STANDARD);
  }
}
