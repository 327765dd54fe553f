package io.orrery.orchestrator.alert;

import static io.orrery.core.sql.Await.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.secret.SecretBox;
import io.orrery.orchestrator.alert.AlertOutcome.Kind;
import io.orrery.orchestrator.alert.MailSettings.Security;
import io.vertx.core.Vertx;
import io.vertx.core.net.SelfSignedCertificate;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.server.SMTPServer;

/** Hands mails to a real mail server. */
class AlertMailTest {
  private static final String PASSWORD = "heron-42-basalt";
  private static final String BODY =
      """
      {"id": "r7-failed-9", "run": "r7", "pipeline": "digits", "project": "vision",
       "status": "FAILED", "error": "train: exit code 3", "due": null}
      """;

  @TempDir Path directory;
  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final List<String> logins = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private SelfSignedCertificate certificate;
  private @Nullable SMTPServer server;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    certificate = SelfSignedCertificate.create("localhost");
    Files.writeString(directory.resolve("password"), PASSWORD + "\n");
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.stop();
    }
    certificate.delete();
    success(vertx.close());
  }

  // ---- a mail server -------------------------------------------------------------------------

  private SSLContext tls() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        certificate.keyCertOptions().getKeyManagerFactory(vertx).getKeyManagers(), null, null);
    return context;
  }

  private SMTPServer.Builder server() {
    return SMTPServer.port(0)
        .bindAddress(InetAddress.getLoopbackAddress())
        .messageHandler((context, from, to, data) -> {
          if (to.startsWith("unknown")) {
            throw new RejectException(550, "no such user");
          }
          if (to.startsWith("later")) {
            throw new RejectException(451, "try again");
          }
          mails.add(from + " " + to + "\n" + new String(data, StandardCharsets.UTF_8));
        });
  }

  private SMTPServer.Builder withLogin() {
    return server()
        .requireAuth()
        .authenticationHandlerFactory(
            new EasyAuthenticationHandlerFactory((user, password, context) -> {
              logins.add(user + " " + password);
              if (!password.equals(PASSWORD)) {
                throw new LoginFailedException();
              }
            }));
  }

  private int begin(SMTPServer.Builder builder) {
    server = builder.build();
    server.start();
    return server.getPortAllocated();
  }

  // ---- sending -------------------------------------------------------------------------------

  private MailSettings settings(int port, Security security, @Nullable String password) {
    return new MailSettings(
        "localhost",
        port,
        security,
        password == null ? null : "orrery",
        password,
        "orrery@example.com",
        List.of(),
        Path.of(certificate.certificatePath()));
  }

  private AlertOutcome send(@Nullable MailSettings settings, String to) throws Exception {
    AlertMail mail =
        new AlertMail(
            vertx, settings, new SecretBox(directory, Map.of("MAIL", PASSWORD)), "http://page");
    return success(mail.send(to, "r7-failed-9", BODY));
  }

  private String file() {
    return "file:" + directory.resolve("password");
  }

  @Test
  void aMailGoesOverStarttlsWithALoginAndSaysWhatHappened() throws Exception {
    int port = begin(withLogin().enableTLS().requireTLS().startTlsSocketFactory(tls()));

    AlertOutcome outcome = send(settings(port, Security.STARTTLS, file()), "ann@example.com");

    assertThat(outcome).isEqualTo(new AlertOutcome(Kind.TAKEN, "the mail server took it"));
    assertThat(logins).containsExactly("orrery " + PASSWORD);
    assertThat(mails)
        .singleElement()
        .asString()
        .startsWith("orrery@example.com ann@example.com\n")
        .contains(
            "Message-ID: <r7-failed-9@example.com>",
            "Subject: digits: run r7 FAILED",
            "Auto-Submitted: auto-generated",
            "train: exit code 3",
            "http://page/#/runs/r7")
        .doesNotContain(PASSWORD);
  }

  @Test
  void aMailGoesOverTlsWithAPasswordOfTheEnvironmentOrASealedOne() throws Exception {
    int port = begin(withLogin().serverSocketFactory(tls()));
    String sealed = new SecretBox(directory, Map.of()).seal(PASSWORD);

    for (String written : List.of("env:MAIL", sealed)) {
      assertThat(send(settings(port, Security.TLS, written), "ann@example.com").kind())
          .isEqualTo(Kind.TAKEN);
    }
    assertThat(mails).hasSize(2);
  }

  @Test
  void nothingIsSaidToAServerWithoutTlsOrWithACertificateThatIsNotTrusted() throws Exception {
    int open = begin(withLogin());
    assertThat(send(settings(open, Security.STARTTLS, file()), "ann@example.com"))
        .isEqualTo(AlertOutcome.failed("the mail server offers no STARTTLS"));
    Objects.requireNonNull(server).stop();

    int port = begin(withLogin().enableTLS().requireTLS().startTlsSocketFactory(tls()));
    MailSettings untrusted =
        new MailSettings(
            "localhost",
            port,
            Security.STARTTLS,
            "orrery",
            PASSWORD,
            "orrery@example.com",
            List.of(),
            null);
    assertThat(send(untrusted, "ann@example.com"))
        .isEqualTo(AlertOutcome.failed("the mail server has no certificate that is trusted"));
    assertThat(logins).isEmpty();
    assertThat(mails).isEmpty();
  }

  @Test
  void whatTheServerAnswersDecidesWhetherItIsTriedAgain() throws Exception {
    int port = begin(server());
    MailSettings plain = settings(port, Security.NONE, null);

    assertThat(send(plain, "ann@example.com").kind()).isEqualTo(Kind.TAKEN);
    assertThat(send(plain, "unknown@example.com").kind()).isEqualTo(Kind.UNWANTED);
    assertThat(send(plain, "unknown@example.com").words()).contains("550");
    assertThat(send(plain, "later@example.com"))
        .isEqualTo(AlertOutcome.failed("the mail server answered 451"));
    assertThat(mails).hasSize(1);
  }

  @Test
  void aWrongPasswordIsTriedAgainAndNotTold() throws Exception {
    int port = begin(withLogin().enableTLS().requireTLS().startTlsSocketFactory(tls()));

    AlertOutcome wrong = send(settings(port, Security.STARTTLS, "raven-9"), "ann@example.com");

    assertThat(wrong.kind()).isEqualTo(Kind.FAILED);
    assertThat(wrong.words()).contains("535").doesNotContain("raven");
    AlertOutcome missing = send(settings(port, Security.STARTTLS, "env:GONE"), "ann@example.com");
    assertThat(missing)
        .isEqualTo(AlertOutcome.failed("the password for the mail server could not be read"));
    assertThat(mails).isEmpty();
  }

  @Test
  void aServerWithoutMailOrWithOtherDomainsSaysSo() throws Exception {
    assertThat(send(null, "ann@example.com").words()).contains("mail.host");
    MailSettings elsewhere =
        new MailSettings(
            "localhost",
            1,
            Security.NONE,
            null,
            null,
            "orrery@example.com",
            List.of("example.org"),
            null);

    assertThat(send(elsewhere, "ann@example.com").kind()).isEqualTo(Kind.UNWANTED);
    assertThat(send(elsewhere, "ann@example.com").words()).contains("mail.domains");
    assertThat(send(elsewhere, "ann@EXAMPLE.org"))
        .isEqualTo(AlertOutcome.failed("the mail server took no connection"));
  }

  @Test
  void aMailAboutADueRunNamesItsReasonAndTheSchedule() {
    AlertLetter letter =
        AlertLetter.of(
            """
            {"id": "due-7", "pipeline": "digits", "dueRun": "digits-1", "status": "LATE",
             "reason": "waits until no other run of the schedule is under way"}
            """,
            "http://page");

    assertThat(letter.subject()).isEqualTo("digits: due run LATE");
    assertThat(letter.text())
        .startsWith("waits until no other run")
        .contains("dueRun: digits-1")
        .endsWith("http://page/#/pipelines/digits/schedule\n");
  }
}
