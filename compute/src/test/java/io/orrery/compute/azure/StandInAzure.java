package io.orrery.compute.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Azure's login, a Key Vault and Azure Files, as strict as they are: a token for another scope
 * opens nothing, and a request whose signature is not that of what arrived is refused. Written from
 * the description of Shared Key, not from our client.
 */
public final class StandInAzure implements AutoCloseable {
  public static final String ACCOUNT = "trialstore";
  public static final String KEY =
      Base64.getEncoder().encodeToString("a key of this test".getBytes(StandardCharsets.UTF_8));
  public static final AzureLogin LOGIN = new AzureLogin("tenant-1", "client-1", "p w+&=");

  private static final String TOKEN = "token-for-vaults";

  private final HttpServer server;
  private final Set<String> shares = new ConcurrentSkipListSet<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** How many of the next requests to Azure Files are throttled. */
  public final AtomicInteger throttled = new AtomicInteger();

  public StandInAzure() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/login/", this::login);
    server.createContext("/vault/", this::vault);
    server.createContext("/files/", this::files);
    server.start();
  }

  /** Where it is. */
  public AzureCloud cloud() {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return new AzureCloud(
        url + "/login",
        url + "/vault/%s",
        url + "/files/%s",
        url + "/blobs/%s",
        "https://vault.azure.net/.default");
  }

  public Set<String> shares() {
    return shares;
  }

  /** {@code METHOD path} of all that came. */
  public List<String> lines() {
    return lines;
  }

  private void login(HttpExchange exchange) throws IOException {
    String body = body(exchange);
    Map<String, String> form = parsed(body);
    boolean right =
        exchange.getRequestURI().getPath().equals("/login/tenant-1/oauth2/v2.0/token")
            && exchange.getRequestMethod().equals("POST")
            && "application/x-www-form-urlencoded"
                .equals(exchange.getRequestHeaders().getFirst("Content-Type"))
            && "client_credentials".equals(form.get("grant_type"))
            && LOGIN.client().equals(form.get("client_id"))
            && LOGIN.secret().equals(form.get("client_secret"))
            && "https://vault.azure.net/.default".equals(form.get("scope"));
    answer(
        exchange,
        right ? 200 : 401,
        right
            ? "{\"token_type\":\"Bearer\",\"expires_in\":3599,\"access_token\":\"" + TOKEN + "\"}"
            : "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: Invalid"
                + " client secret provided.\\r\\nTrace ID: 1\"}");
  }

  private void vault(HttpExchange exchange) throws IOException {
    boolean known =
        ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
    boolean versioned = "api-version=7.4".equals(exchange.getRequestURI().getQuery());
    String path = exchange.getRequestURI().getPath();
    if (!known) {
      answer(exchange, 401, "{\"error\":{\"code\":\"Unauthorized\",\"message\":\"no token\"}}");
    } else if (!versioned || !exchange.getRequestMethod().equals("GET")) {
      answer(exchange, 400, "{\"error\":{\"code\":\"BadParameter\",\"message\":\"api-version\"}}");
    } else if (path.equals("/vault/team-vault/secrets/storage-key")) {
      answer(exchange, 200, "{\"value\":\"" + KEY + "\",\"id\":\"x\"}");
    } else {
      answer(
          exchange,
          404,
          "{\"error\":{\"code\":\"SecretNotFound\",\"message\":\"A secret with that name was not"
              + " found in this key vault.\"}}");
    }
  }

  private void files(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring("/files".length());
    String share = path.substring(path.lastIndexOf('/') + 1);
    if (throttled.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      exchange.getResponseHeaders().add("Retry-After", "1");
      answer(exchange, 503, error("ServerBusy", "The server is busy."));
    } else if (!signed(exchange, "/" + ACCOUNT + exchange.getRequestURI().getRawPath())) {
      answer(exchange, 403, error("AuthenticationFailed", "Server failed to authenticate."));
    } else if (!"restype=share".equals(exchange.getRequestURI().getQuery())) {
      answer(exchange, 400, error("InvalidQueryParameterValue", "restype"));
    } else if (exchange.getRequestMethod().equals("GET")) {
      answer(exchange, shares.contains(share) ? 200 : 404, "");
    } else if (!share.matches("[a-z0-9](-?[a-z0-9]){2,62}")) {
      answer(exchange, 400, error("InvalidResourceName", "The name is not valid."));
    } else if (shares.add(share)) {
      answer(exchange, 201, "");
    } else {
      answer(exchange, 409, error("ShareAlreadyExists", "The specified share already exists."));
    }
  }

  /** Whether the signature is that of the request as it came. */
  private static boolean signed(HttpExchange exchange, String path) {
    Map<String, String> own = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> {
          if (name.toLowerCase(java.util.Locale.ROOT).startsWith("x-ms-")) {
            own.put(name.toLowerCase(java.util.Locale.ROOT), values.getFirst().strip());
          }
        });
    String length = header(exchange, "Content-Length");
    String standard =
        List.of(
                "Content-Encoding",
                "Content-Language",
                "",
                "Content-MD5",
                "Content-Type",
                "Date",
                "If-Modified-Since",
                "If-Match",
                "If-None-Match",
                "If-Unmodified-Since",
                "Range")
            .stream()
            .map(name ->
                name.isEmpty() ? (length.equals("0") ? "" : length) : header(exchange, name))
            .collect(Collectors.joining("\n"));
    String text =
        exchange.getRequestMethod()
            + "\n"
            + standard
            + "\n"
            + own.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue() + "\n")
                .collect(Collectors.joining())
            + path
            + parsed(exchange.getRequestURI().getQuery()).entrySet().stream()
                .map(entry -> "\n" + entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining());
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
      String right =
          Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
      return own.containsKey("x-ms-version")
          && own.getOrDefault("x-ms-date", "")
              .matches("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT")
          && ("SharedKey " + ACCOUNT + ":" + right).equals(header(exchange, "Authorization"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private static Map<String, String> parsed(String form) {
    Map<String, String> values = new TreeMap<>();
    for (String pair : form.split("&")) {
      int equals = pair.indexOf('=');
      values.put(
          pair.substring(0, equals),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return values;
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String error(String code, String message) {
    return "<?xml version=\"1.0\"?><Error><Code>"
        + code
        + "</Code><Message>"
        + message
        + "\nRequestId:1</Message></Error>";
  }

  private void answer(HttpExchange exchange, int code, String body) throws IOException {
    lines.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
