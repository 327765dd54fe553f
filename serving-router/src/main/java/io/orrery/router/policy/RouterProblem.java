package io.orrery.router.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.orrery.router.route.Limits;
import io.orrery.router.route.UploadRate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A problem that the router itself answers with, as {@code application/problem+json} (RFC 9457).
 *
 * @param kind the last part of the problem's type
 * @param retryAfter seconds; null for none
 */
public record RouterProblem(
    int status, String kind, String title, String detail, @Nullable String retryAfter) {

  public RouterProblem(int status, String kind, String title, String detail) {
    this(status, kind, title, detail, null);
  }

  static RouterProblem overRate(Limits.Rate rate, long waitNanos) {
    return new RouterProblem(
        429,
        "rate",
        "Too many requests",
        (rate.isByClient() ? "A client" : "One key")
            + " may make "
            + rate.count()
            + " requests in "
            + rate.per().toSeconds()
            + " s.",
        Long.toString(1 + waitNanos / 1_000_000_000L));
  }

  static RouterProblem overMemory() {
    return new RouterProblem(
        503,
        "memory",
        "Too much waits to be read",
        "Answers that other clients have not read yet take all the memory that they may.",
        "5");
  }

  static RouterProblem overOwnMemory() {
    return new RouterProblem(
        429,
        "memory",
        "Too much waits to be read",
        "Answers that this client has not read yet take all the memory that they may.",
        "5");
  }

  static RouterProblem overRequests(String service) {
    return new RouterProblem(
        503,
        "overloaded",
        "Too many requests at once",
        service + " works on as many requests as it may.");
  }

  static RouterProblem shed(String service, int most) {
    return new RouterProblem(
        503,
        "overloaded",
        "Too many requests at once",
        service + " takes requests of this priority up to " + most + " at once.",
        "1");
  }

  public static RouterProblem unknownHost() {
    return new RouterProblem(
        404,
        "unknown-host",
        "Unknown host",
        "No service has this host, or none of them takes this path.");
  }

  /** For a request to a guarded service without its pass. */
  public static RouterProblem noPass() {
    return new RouterProblem(
        401,
        "no-pass",
        "A pass is needed",
        "This address needs a pass, or the pass has ended: enter it through Orrery again.");
  }

  /** For a request that a page of another host has made, and that could change something. */
  public static RouterProblem foreignOrigin() {
    return new RouterProblem(
        403,
        "foreign-origin",
        "Another page's request",
        "Only pages of this very host may make this request.");
  }

  public static RouterProblem malformed(String detail) {
    return new RouterProblem(400, "malformed", "The request cannot be read", detail);
  }

  public static RouterProblem noEndpoint(String service) {
    return new RouterProblem(
        503, "no-endpoint", "No endpoint can answer", "No endpoint of " + service + " is well.");
  }

  /** For a request too many of those that wait for an endpoint. */
  public static RouterProblem overHeld(String service) {
    return new RouterProblem(
        429,
        "held",
        "Too many requests wait",
        "As many requests as may do so wait for an endpoint of " + service + ".",
        "5");
  }

  public static RouterProblem crowded(String service) {
    return new RouterProblem(
        503,
        "overloaded",
        "Too many requests wait",
        "As many requests as may do so wait for a connection to " + service + ".");
  }

  public static RouterProblem unconnected(String service) {
    return new RouterProblem(
        503,
        "no-connection",
        "The service cannot be reached",
        "No connection to an endpoint of " + service + " could be made.");
  }

  public static RouterProblem broken(String service) {
    return new RouterProblem(
        502,
        "broken",
        "The service broke off",
        "An endpoint of " + service + " closed the connection without an answer.");
  }

  public static RouterProblem late(String detail) {
    return new RouterProblem(504, "timeout", "The service took too long", detail);
  }

  public static RouterProblem slowClient(Duration idle) {
    return new RouterProblem(
        408,
        "timeout",
        "The request took too long",
        "The rest of the request did not come within " + words(idle) + ".");
  }

  /** For a body that came more slowly than a rate. */
  public static RouterProblem slowUpload(UploadRate rate) {
    String detail =
        "The body came at less than %d bytes a second, over %s."
            .formatted(rate.bytes(), words(rate.window()));
    return new RouterProblem(408, "timeout", "The request took too long", detail);
  }

  /** A time as people say it. */
  public static String words(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  /** The body of the answer. */
  public String json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "/problems/" + kind)
        .put("title", title)
        .put("status", status)
        .put("detail", detail)
        .toString();
  }
}
