package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.orchestrator.alert.MailSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the keys of the server for mail. */
class MailKeysTest {
  @Test
  void aServerForMailIsNamedWholeAndItsPasswordIsNotRepeated() {
    ServerConfig config =
        ServerConfig.read(
            "mail: {host: mail.example.com, user: orrery, password: heron-7,"
                + " from: orrery@example.com, domains: [Example.com]}",
            Map.of(),
            Map.of());

    assertThat(config.alerts().mail())
        .isEqualTo(
            new MailSettings(
                "mail.example.com",
                587,
                MailSettings.Security.STARTTLS,
                "orrery",
                "heron-7",
                "orrery@example.com",
                List.of("example.com"),
                null));
    assertThat(config.toString()).doesNotContain("heron-7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {from: orrery@example.com}                                       | needs host
          {host: a, from: Orrery}                                          | mail.from
          {host: a, from: o@b.c, user: o}                                  | user and password
          {host: a, from: o@b.c, user: o, password: heron-7, security: none} | in the clear
          {host: a, from: o@b.c, security: ssl}                            | starttls, tls or none
          {host: a, from: o@b.c, user: o, password: [heron-7]}             | mail.password
          """)
  void aServerForMailThatIsNotWholeIsRefused(String mail, String message) {
    assertThatThrownBy(() -> ServerConfig.read("mail: " + mail, Map.of(), Map.of()))
        .hasMessageContaining(message)
        .message()
        .doesNotContain("heron-7");
  }
}
