package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.server.SMTPServer;

/** Sends alerts to a real mail server that takes STARTTLS and a login, and refuses the first. */
@Timeout(180)
class MailJourneyIT extends PipelineJourney {
  private static final String PASSWORD = "marten-31-copper";

  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final Vertx vertx = Vertx.vertx();
  private final SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
  private SMTPServer mail;

  @Override
  void configure() throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(certificate.keyCertOptions().getKeyManagerFactory(vertx).getKeyManagers(), null, null);
    mail =
        SMTPServer.port(0)
            .bindAddress(InetAddress.getLoopbackAddress())
            .enableTLS()
            .requireTLS()
            .startTlsSocketFactory(tls)
            .requireAuth()
            .authenticationHandlerFactory(
                new EasyAuthenticationHandlerFactory((user, password, context) -> {
                  if (!user.equals("orrery") || !password.equals(PASSWORD)) {
                    throw new LoginFailedException();
                  }
                }))
            .messageHandler((context, from, to, data) -> {
              String text = to + "\n" + new String(data, StandardCharsets.UTF_8);
              if (to.startsWith("unknown")) {
                throw new RejectException(550, "no such user");
              }
              if (refused.isEmpty()) {
                refused.add(text);
                throw new RejectException(451, "try again");
              }
              mails.add(text);
            })
            .build();
    mail.start();
    Path password = temp.resolve("password");
    Files.writeString(password, PASSWORD);
    Files.writeString(
        home().resolve("orrery.yml"),
        """
        mail:
          host: localhost
          port: %d
          user: orrery
          password: "file:%s"
          from: orrery@example.com
          certificates: "%s"
        """
            .formatted(mail.getPortAllocated(), password, certificate.certificatePath()));
  }

  @AfterEach
  void end() {
    mail.stop();
    certificate.delete();
    vertx.close();
  }

  private List<JsonNode> alerts(JsonNode object) {
    List<JsonNode> all = new ArrayList<>();
    object.path("alerts").forEach(all::add);
    return all;
  }

  private static boolean has(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      // A file of the database that has gone since.
      return false;
    }
  }

  private static String messageId(String mail) {
    return mail.lines().filter(line -> line.startsWith("Message-ID:")).findFirst().orElseThrow();
  }

  @Test
  void aMailArrivesUnderOneIdThoughTheServerRefusesItOnceAndAWrongAddressIsGivenUp()
      throws Exception {
    put(
        "fails",
        """
        {"tasks": [{"name": "a", "command": "exit 3"}],
         "alerts": {"mail": ["ann@example.com", "unknown@example.com"]}}
        """);
    String id = run("fails", "{}");
    await()
        .atMost(PATIENCE)
        .until(() ->
            alerts(run(id)).size() == 2
                && alerts(run(id)).stream()
                    .noneMatch(each -> each.path("state").asText().equals("WAITING")));

    assertThat(alerts(run(id)))
        .extracting(each -> each.path("mail").asText() + " " + each.path("state").asText())
        .containsExactlyInAnyOrder("ann@example.com DELIVERED", "unknown@example.com GIVEN_UP");
    assertThat(mails)
        .singleElement()
        .asString()
        .startsWith("ann@example.com\n")
        .contains("Subject: fails: run " + id + " FAILED", server.url() + "/#/runs/" + id);
    assertThat(refused).hasSize(1);
    assertThat(messageId(mails.getFirst())).isEqualTo(messageId(refused.getFirst()));

    assertThat(run(id).toString()).doesNotContain(PASSWORD);
    assertThat(server.log()).doesNotContain(PASSWORD);
    try (Stream<Path> files = Files.walk(home())) {
      assertThat(files.filter(Files::isRegularFile)).noneMatch(file -> has(file, PASSWORD));
    }
  }

  @EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
  @Test
  void aDueRunThatWaitsTooLongIsTold() throws Exception {
    put(
        "slow",
        """
        {"tasks": [{"name": "a", "command": "sleep 300"}],
         "schedule": {"cron": "* * * * * *", "maxActiveRuns": 1},
         "alerts": {"on": ["LATE"], "late": "1s", "mail": ["ann@example.com"]}}
        """);
    await().atMost(PATIENCE).until(() -> !mails.isEmpty());

    assertThat(mails.getFirst())
        .contains("Subject: slow: due run LATE", "maxActiveRuns: 1", "/#/pipelines/slow/schedule");
    await()
        .atMost(PATIENCE)
        .until(() ->
            alerts(server.get("/pipelines/slow/schedule")).stream()
                .anyMatch(each ->
                    each.path("status").asText().equals("LATE")
                        && each.path("state").asText().equals("DELIVERED")));
  }
}
