package io.orrery.router.policy;

import io.orrery.core.access.OriginPasses;
import io.orrery.core.time.Clock;
import io.orrery.router.health.ServiceState;
import io.orrery.router.route.OriginAccess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The guard of services with {@code access}. A request needs the cookie of a pass; one with a
 * ticket in its query gets it. A browser sends the cookie along with requests that a page of a
 * neighbouring host makes (RFC 6265 section 8.6), so those that could change something must name
 * their own origin. There is one for an event loop, whichever way its requests take.
 */
public final class PassGuard {
  private static final String PASS = "orrery_pass_";
  private static final String SESSION = "orrery_session";
  private static final String TICKET = "ticket=";

  /** Passes of one request that are looked at. */
  private static final int MOST_PASSES = 4;

  private final OriginPasses passes;
  private final KnownPasses known;
  private final Clock clock;
  private final Map<String, String> tokens = new HashMap<>();

  public PassGuard(OriginPasses passes, Clock clock) {
    this.passes = passes;
    this.known = new KnownPasses(passes);
    this.clock = clock;
  }

  /** A decision about a request. */
  public sealed interface Verdict {
    /** A decision that the request goes on. */
    record Granted() implements Verdict {}

    /** A redirect to an address, with a cookie. */
    record Exchanged(String location, String cookie) implements Verdict {}

    /** A refusal. */
    record Refused(RouterProblem denial) implements Verdict {}
  }

  /**
   * Judges a request for a guarded service.
   *
   * @param authority the host that was asked for, as the client wrote it
   */
  public Verdict judge(GuardedRequest request, OriginAccess access, String authority) {
    Instant now = clock.now();
    String method = request.method();
    boolean reads = !request.upgrades() && (method.equals("GET") || method.equals("HEAD"));
    String ticket = reads ? ticket(request.uri()) : null;
    if (ticket != null && passes.isTicket(ticket, access.audience(), access.epoch(), now)) {
      return exchanged(request, access, authority, now);
    }
    List<String> shown = Cookies.findAll(request.cookies(), PASS + access.audience());
    boolean hasPass =
        shown.stream().limit(MOST_PASSES).anyMatch(pass -> known.isGood(pass, access, now));
    if (!hasPass) {
      return new Verdict.Refused(RouterProblem.noPass());
    }
    return reads || isOwn(request.origin(), authority)
        ? new Verdict.Granted()
        : new Verdict.Refused(RouterProblem.foreignOrigin());
  }

  private Verdict exchanged(
      GuardedRequest request, OriginAccess access, String authority, Instant now) {
    String scheme = request.scheme();
    String cookie =
        PASS
            + access.audience()
            + "="
            + passes.pass(access.audience(), access.epoch(), now)
            + "; Path=/; Max-Age="
            + OriginPasses.PASS.toSeconds()
            + "; HttpOnly; SameSite=Lax"
            + (scheme.equals("https") ? "; Secure" : "");
    return new Verdict.Exchanged(scheme + "://" + authority + withoutTicket(request.uri()), cookie);
  }

  private static @Nullable String ticket(String uri) {
    for (String term : terms(uri)) {
      if (term.startsWith(TICKET)) {
        return term.substring(TICKET.length());
      }
    }
    return null;
  }

  private static String withoutTicket(String uri) {
    String path = uri.substring(0, uri.indexOf('?'));
    List<String> rest = terms(uri).stream().filter(term -> !term.startsWith(TICKET)).toList();
    return rest.isEmpty() ? path : path + "?" + String.join("&", rest);
  }

  private static List<String> terms(String uri) {
    int question = uri.indexOf('?');
    return question < 0 ? List.of() : List.of(uri.substring(question + 1).split("&", -1));
  }

  /** Whether a request was made by a page of its own host, or by no page. */
  private static boolean isOwn(@Nullable String origin, String authority) {
    return origin == null
        || origin.equalsIgnoreCase("http://" + authority)
        || origin.equalsIgnoreCase("https://" + authority);
  }

  /** The Cookie headers that an endpoint gets: without what is the platform's. */
  public static List<String> passing(List<String> cookies) {
    List<String> kept = new ArrayList<>(cookies.size());
    for (String line : cookies) {
      String rest = Cookies.without(line, name -> name.startsWith(PASS) || name.equals(SESSION));
      if (!rest.isEmpty()) {
        kept.add(rest);
      }
    }
    return kept;
  }

  /** The Authorization that endpoints get in place of the client's; null for the client's. */
  public @Nullable String authorization(ServiceState service, OriginAccess access) {
    return access.injects() ? "token " + tokens.computeIfAbsent(service.id(), passes::token) : null;
  }

  /** Another table is in force. */
  void forget() {
    tokens.clear();
  }
}
