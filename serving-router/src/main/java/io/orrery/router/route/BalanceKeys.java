package io.orrery.router.route;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of a balance that is more than a word. */
final class BalanceKeys {
  private static final Pattern NAMED = Pattern.compile("(header|cookie):([^\\s:]+)");
  private static final Pattern PATH = Pattern.compile("path:([1-9]|1[0-6])");
  private static final Pattern BODY = Pattern.compile("body:([1-9][0-9]{0,8})");
  private static final double LEAST_BOUND = 100;

  private BalanceKeys() {}

  /** Reads {@code {hash: …, maxLoad: 125%}} or {@code {leastCost: …}}. */
  static Balance read(Section section) {
    Section balance = section.section("balance", "hash", "maxLoad", "leastCost");
    if (!balance.has("leastCost")) {
      return new Balance.Hash(hashKey(balance), bound(balance));
    }
    for (String other : new String[] {"hash", "maxLoad"}) {
      if (balance.has(other)) {
        balance.refuse(other, "balance has either hash or leastCost");
      }
    }
    String text = balance.text("leastCost", "");
    Matcher named = NAMED.matcher(text);
    if (!named.matches() || !named.group(1).equals("header")) {
      balance.refuse("leastCost", "leastCost is header:NAME; not '" + text + "'");
      return new Balance.LeastRequests();
    }
    balance.refuseIf("leastCost", Spelling.ofName(named.group(2)));
    return new Balance.LeastCost(new RequestCost(named.group(2)));
  }

  /** The part of a request that is hashed, which may be one of its body. */
  private static RequestKey hashKey(Section balance) {
    Matcher body = BODY.matcher(balance.text("hash", ""));
    if (!body.matches()) {
      return key(balance, "hash", "");
    }
    int bytes = Integer.parseInt(body.group(1));
    if (bytes > RequestKey.BodyPrefix.MOST_BYTES) {
      balance.refuse(
          "hash", "body:N has 1 to " + RequestKey.BodyPrefix.MOST_BYTES + " bytes; not " + bytes);
    }
    return new RequestKey.BodyPrefix(bytes);
  }

  /**
   * The part of a request's head that a key names.
   *
   * @param standard what it is where nothing is written
   */
  static RequestKey key(Section section, String at, String standard) {
    String text = section.text(at, standard);
    Matcher named = NAMED.matcher(text);
    Matcher path = PATH.matcher(text);
    if (named.matches()) {
      String name = named.group(2);
      section.refuseIf(at, Spelling.ofName(name));
      return named.group(1).equals("header")
          ? new RequestKey.Header(name)
          : new RequestKey.Cookie(name);
    }
    if (path.matches()) {
      return new RequestKey.PathPrefix(Integer.parseInt(path.group(1)));
    }
    if (!text.equals("client")) {
      section.refuse(
          at,
          at
              + " is header:NAME, cookie:NAME, client, path:N with 1 to 16 parts"
              + (at.equals("hash") ? ", or body:N with 1 to 65536 bytes" : "")
              + "; not '"
              + text
              + "'");
    }
    return new RequestKey.Client();
  }

  private static double bound(Section balance) {
    double percent =
        balance.measure(
            "maxLoad",
            Double.POSITIVE_INFINITY,
            Measures::percent,
            found -> found >= LEAST_BOUND,
            "is a percentage from 100%");
    return percent / 100;
  }
}
