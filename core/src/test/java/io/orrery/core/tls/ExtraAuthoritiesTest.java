package io.orrery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it sets the trust store of the process")
class ExtraAuthoritiesTest {
  @TempDir Path temp;
  private int javas;

  @BeforeEach
  void count() throws Exception {
    javas = trusted();
  }

  @AfterEach
  void forget() {
    System.clearProperty("javax.net.ssl.trustStore");
    System.clearProperty("javax.net.ssl.trustStoreType");
  }

  @Test
  void theAuthoritiesOfTheFileAreTrustedBesidesThoseOfJava() throws Exception {
    Path key = temp.resolve("ca.p12");
    Path pem = temp.resolve("ca.pem");
    keytool("-genkeypair", key, "-keyalg", "EC", "-dname", "CN=Own", "-ext", "bc:c");
    keytool("-exportcert", key, "-rfc", "-file", pem.toString());
    assertThat(ExtraAuthorities.trust(Map.of(ExtraAuthorities.VARIABLE, pem.toString()))).isNull();
    assertThat(trusted()).isEqualTo(javas + 1);
  }

  @Test
  void aFileThatCannotBeReadIsNamedAndJavasAuthoritiesStay() throws Exception {
    Path pem = Files.writeString(temp.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\nno\n");
    assertThat(ExtraAuthorities.trust(Map.of(ExtraAuthorities.VARIABLE, pem.toString())))
        .contains(pem.toString());
    assertThat(ExtraAuthorities.trust(Map.of(ExtraAuthorities.VARIABLE, temp + "/none")))
        .contains(temp + "/none");
    assertThat(trusted()).isEqualTo(javas);
  }

  @Test
  void withoutTheVariableNothingChanges() {
    assertThat(ExtraAuthorities.trust(Map.of())).isNull();
    assertThat(System.getProperty("javax.net.ssl.trustStore")).isNull();
  }

  private static int trusted() throws Exception {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((java.security.KeyStore) null);
    return Arrays.stream(factory.getTrustManagers())
        .mapToInt(each -> ((X509TrustManager) each).getAcceptedIssuers().length)
        .sum();
  }

  private static void keytool(String what, Path store, String... more) throws Exception {
    String[] line = {
      Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
      what,
      "-keystore",
      store.toString(),
      "-storepass",
      "changeit",
      "-alias",
      "own"
    };
    String[] all = Arrays.copyOf(line, line.length + more.length);
    System.arraycopy(more, 0, all, line.length, more.length);
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String said = new String(Objects.requireNonNull(process.getInputStream()).readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }
}
