package io.orrery.core.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Addresses of services: made whole, so that what follows need not guess. */
public final class Hosts {
  private static final String AT = "/trainingService/";

  private Hosts() {}

  /** Gives a key's address its scheme, https unless it has one, and takes the last slash. */
  public static void complete(ObjectNode service, String key, Walk walk) {
    String written = service.path(key).asText("");
    if (written.isEmpty()) {
      return;
    }
    String whole = written.contains("://") ? written : "https://" + written;
    try {
      URI uri = new URI(whole);
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      boolean good =
          (scheme.equals("http") || scheme.equals("https"))
              && uri.getHost() != null
              && uri.getUserInfo() == null
              && uri.getRawQuery() == null
              && uri.getRawFragment() == null;
      if (good) {
        service.put(key, whole.replaceFirst("/+$", ""));
        return;
      }
    } catch (URISyntaxException e) {
      // Said below, as of any other that is none.
    }
    // It may hold a password, so it is not repeated.
    walk.refuse(AT + key, "must be a host such as 10.10.5.1 or https://pai.example.org");
  }
}
