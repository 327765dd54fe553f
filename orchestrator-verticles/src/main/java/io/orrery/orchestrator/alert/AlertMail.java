package io.orrery.orchestrator.alert;

import io.orrery.compute.secret.SecretBox;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.SMTPException;
import io.vertx.ext.mail.StartTLSOptions;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends alerts as mails, each over a connection of its own: alerts are few, and the password is
 * looked up for each.
 */
final class AlertMail {
  private static final Logger LOG = LoggerFactory.getLogger(AlertMail.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration CONNECTING = Duration.ofSeconds(5);

  /** The replies to a recipient that no further attempt changes (RFC 5321). */
  private static final Set<Integer> NO_SUCH_ADDRESS = Set.of(550, 551, 553, 556);

  private final Vertx vertx;
  private final @Nullable MailSettings settings;
  private final SecretBox box;
  private final String server;

  /**
   * @param settings null when the configuration names no server for mail
   * @param box which opens the password
   * @param server the address of the page, which mails have a link to
   */
  AlertMail(Vertx vertx, @Nullable MailSettings settings, SecretBox box, String server) {
    this.vertx = vertx;
    this.settings = settings;
    this.box = box;
    this.server = server;
  }

  /**
   * Sends a mail; never fails.
   *
   * @param id the same each time
   */
  Future<AlertOutcome> send(String to, String id, String body) {
    MailSettings known = settings;
    if (known == null) {
      return Future.succeededFuture(
          AlertOutcome.failed("this server sends no mail: an administrator sets mail.host"));
    }
    if (!known.allows(to)) {
      return Future.succeededFuture(
          new AlertOutcome(
              AlertOutcome.Kind.UNWANTED,
              "mail may not be sent to this domain: an administrator allows domains by"
                  + " mail.domains"));
    }
    String password = known.password();
    return vertx
        .executeBlocking(() -> password == null ? "" : box.open(password, "/mail/password"), false)
        .compose(opened -> send(known, opened, letter(known, to, id, body)))
        .map(new AlertOutcome(AlertOutcome.Kind.TAKEN, "the mail server took it"))
        .recover(failure -> {
          LOG.warn("could not send alert {} by mail: {}", id, failure.getMessage());
          return Future.succeededFuture(outcome(failure));
        });
  }

  private MailMessage letter(MailSettings known, String to, String id, String body) {
    AlertLetter letter = AlertLetter.of(body, server);
    String domain = known.from().substring(known.from().indexOf('@') + 1);
    return new MailMessage()
        .setFrom(known.from())
        .setTo(to)
        .setSubject(letter.subject())
        .setText(letter.text())
        .addHeader("Message-ID", "<" + id + "@" + domain + ">")
        .addHeader("Auto-Submitted", "auto-generated");
  }

  private Future<?> send(MailSettings known, String password, MailMessage message) {
    MailConfig config =
        new MailConfig()
            .setHostname(known.host())
            .setPort(known.port())
            .setSsl(known.security() == MailSettings.Security.TLS)
            .setStarttls(
                known.security() == MailSettings.Security.STARTTLS
                    ? StartTLSOptions.REQUIRED
                    : StartTLSOptions.DISABLED)
            .setHostnameVerificationAlgorithm("HTTPS")
            .setLogin(known.user() == null ? LoginOption.DISABLED : LoginOption.REQUIRED)
            .setKeepAlive(false)
            .setMaxPoolSize(1)
            .setConnectTimeout((int) CONNECTING.toMillis())
            .setIdleTimeout((int) PATIENCE.toSeconds());
    if (known.user() != null) {
      config.setUsername(known.user()).setPassword(password);
    }
    if (known.certificates() != null) {
      config.setTrustOptions(
          new PemTrustOptions().addCertPath(Objects.toString(known.certificates())));
    }
    MailClient client = MailClient.create(vertx, config);
    return client
        .sendMail(message)
        .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .eventually(client::close);
  }

  /** The outcome for the users of the project: nothing of the login. */
  private static AlertOutcome outcome(Throwable failure) {
    return switch (failure) {
      case SMTPException answer when NO_SUCH_ADDRESS.contains(answer.getReplyCode()) ->
          new AlertOutcome(
              AlertOutcome.Kind.UNWANTED,
              "the mail server answered %d: it takes nothing for this address"
                  .formatted(answer.getReplyCode()));
      case SMTPException answer when answer.getReplyCode() > 0 ->
          AlertOutcome.failed("the mail server answered " + answer.getReplyCode());
      case ProblemException closed when closed.problem() instanceof Problem.Refused ->
          AlertOutcome.failed("the password for the mail server could not be read");
      case UnknownHostException unknown -> AlertOutcome.failed("the mail server is not known");
      case TimeoutException late ->
          AlertOutcome.failed(
              "the mail server did not answer within " + PATIENCE.toSeconds() + " s");
      case ConnectException refused -> AlertOutcome.failed("the mail server took no connection");
      case SSLException untrusted ->
          AlertOutcome.failed("the mail server has no certificate that is trusted");
      case Throwable open
          when Objects.toString(open.getMessage()).startsWith("STARTTLS required") ->
          AlertOutcome.failed("the mail server offers no STARTTLS");
      default -> AlertOutcome.failed("the mail could not be handed to the mail server");
    };
  }
}
