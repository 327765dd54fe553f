package io.orrery.compute.service;

import io.orrery.core.bus.contract.TrainingServices.Item;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The address at which jobs elsewhere call the server. */
public final class Callback {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Pattern HOST_AND_PORT = Pattern.compile("([^:]+|\\[.+]):[0-9]+");
  private static final String WHAT = "callback";
  private static final String REMEDY =
      "set http.host and http.advertiseUrl of the server to an address that trials reach, or"
          + " nniManagerIp of the experiment";

  private Callback() {}

  /**
   * The server's URL as the trials of an experiment are told it.
   *
   * @param host that of the experiment, which may name a port as well; null for the server's own
   */
  public static String url(String server, @Nullable String host) {
    if (host == null) {
      return server;
    }
    URI given = URI.create(server);
    String port = given.getPort() < 0 ? "" : ":" + given.getPort();
    String authority =
        HOST_AND_PORT.matcher(host).matches()
            ? host
            : (host.contains(":") ? "[" + host + "]" : host) + port;
    return given.getScheme() + "://" + authority + given.getRawPath();
  }

  /**
   * Whether trials could call it, as far as that can be known from here. Blocks.
   *
   * @param service whose jobs they are: one on this machine may have its nodes here as well
   */
  public static Item check(String url, String service) {
    if (isLoopback(url)) {
      return isLoopback(service)
          ? Item.doubtful(WHAT, url + " is reached by nodes on this very machine only", REMEDY)
          : Item.bad(WHAT, "trials are told to call " + url + ", which is themselves", REMEDY);
    }
    String answer = answer(url);
    return answer == null
        ? Item.good(WHAT, url + " answers, as seen from here")
        : Item.doubtful(WHAT, url + " does not answer, as seen from here: " + answer, REMEDY);
  }

  /** Whether only this machine reaches it. */
  public static boolean isLoopback(String url) {
    try {
      String host = URI.create(url).getHost();
      return host != null
          && InetAddress.getByName(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (UnknownHostException | IllegalArgumentException e) {
      return false;
    }
  }

  /** What is wrong with it; null when nothing is. */
  private static @Nullable String answer(String url) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/health/live")).timeout(PATIENCE).build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      return status == 200 ? null : "HTTP " + status;
    } catch (IOException e) {
      return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }
}
