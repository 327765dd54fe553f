package io.orrery.gateway.launch;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.gateway.http.Network;
import io.orrery.orchestrator.alert.MailSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the configuration about alerts.
 *
 * @param networks those besides the Internet that requests may be sent to
 * @param mail null when none is sent
 */
record AlertConfig(List<Network> networks, @Nullable MailSettings mail) {
  AlertConfig {
    networks = List.copyOf(networks);
  }

  /**
   * The same with the path of its file made absolute.
   *
   * @throws io.orrery.core.problem.ProblemException Refused when it cannot be read
   */
  AlertConfig from(Path directory) {
    if (mail == null || mail.certificates() == null) {
      return this;
    }
    Path file = directory.resolve(mail.certificates());
    if (!Files.isReadable(file)) {
      throw new Problem.Refused(
              new Finding(
                  "/mail/certificates", "mail.certificates is " + file + ": it cannot be read"))
          .toException();
    }
    return new AlertConfig(
        networks,
        new MailSettings(
            mail.host(),
            mail.port(),
            mail.security(),
            mail.user(),
            mail.password(),
            mail.from(),
            mail.domains(),
            file));
  }
}
