package io.orrery.compute.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.service.ImageLogin;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The key to a private registry, from the file that {@code docker login} writes or from a login.
 */
final class PullSecret {
  private static final long MOST_BYTES = 512 << 10;

  private PullSecret() {}

  static String name(String job, Role role) {
    return job + "-" + role.name() + "-registry";
  }

  /** The {@code type} and {@code data} of a Secret of Docker's kind. */
  static ObjectNode of(Path config) {
    byte[] content;
    try {
      if (Files.size(config) > MOST_BYTES) {
        throw refused(config + " is larger than a Secret may be");
      }
      content = Files.readAllBytes(config);
    } catch (IOException e) {
      throw refused(config + " cannot be read: " + e.getMessage());
    }
    if (!hasLogins(new String(content, StandardCharsets.UTF_8))) {
      throw refused(config + " is no Docker config.json: it has no 'auths'");
    }
    return of(content);
  }

  /** The same of a login. */
  static ObjectNode of(ImageLogin login) {
    return of(login.dockerConfig().getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode of(byte[] config) {
    ObjectNode secret =
        Json.MAPPER.createObjectNode().put("type", "kubernetes.io/dockerconfigjson");
    secret.putObject("data").put(".dockerconfigjson", Base64.getEncoder().encodeToString(config));
    return secret;
  }

  /** Has the pods of a template pulled with it. */
  static void use(ObjectNode template, String job, Role role) {
    template
        .withObject("/spec")
        .withArray("imagePullSecrets")
        .addObject()
        .put("name", name(job, role));
  }

  /**
   * Whether a text has logins; it is not quoted where it has none, for it may be another secret.
   */
  private static boolean hasLogins(String text) {
    try {
      return Json.parse(text).has("auths");
    } catch (ProblemException noJson) {
      return false;
    }
  }

  private static RuntimeException refused(String message) {
    return new Problem.Refused(new Finding("", message)).toException();
  }
}
