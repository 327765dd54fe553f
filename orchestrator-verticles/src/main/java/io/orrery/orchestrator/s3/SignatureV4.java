package io.orrery.orchestrator.s3;

import io.orrery.core.digest.Sha256;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests to S3 as AWS describes it ("Authenticating Requests: Using the Authorization
 * Header").
 */
record SignatureV4(String accessKey, String secretKey, String region) {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int DAY = 8;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /**
   * The headers that make a request a signed one.
   *
   * @param uri its path and query are encoded
   * @param more headers of the request that are signed as well, in lower case
   * @param payload SHA-256 of the body
   */
  SortedMap<String, String> sign(
      String method, URI uri, SortedMap<String, String> more, String payload, Instant at) {
    String time = TIME.format(at);
    SortedMap<String, String> headers = new TreeMap<>(more);
    headers.put("host", host(uri));
    headers.put("x-amz-content-sha256", payload);
    headers.put("x-amz-date", time);
    String names = String.join(";", headers.keySet());
    String request =
        String.join(
            "\n",
            method,
            uri.getRawPath(),
            query(uri.getRawQuery()),
            headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue().strip() + "\n")
                .collect(Collectors.joining()),
            names,
            payload);
    String day = time.substring(0, DAY);
    String scope = String.join("/", day, region, "s3", "aws4_request");
    String text = String.join("\n", ALGORITHM, time, scope, Sha256.hex(request));
    byte[] key = ("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8);
    for (String part : new String[] {day, region, "s3", "aws4_request"}) {
      key = mac(key, part);
    }
    String signature = HexFormat.of().formatHex(mac(key, text));
    headers.remove("host");
    headers.put(
        "authorization",
        "%s Credential=%s/%s,SignedHeaders=%s,Signature=%s"
            .formatted(ALGORITHM, accessKey, scope, names, signature));
    return headers;
  }

  /** The parameters by their names, each with a value. */
  private static String query(@Nullable String raw) {
    if (raw == null || raw.isEmpty()) {
      return "";
    }
    return Arrays.stream(raw.split("&", -1))
        .map(each -> each.contains("=") ? each : each + "=")
        .sorted()
        .collect(Collectors.joining("&"));
  }

  private static byte[] mac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA256", e);
    }
  }

  /** Nothing of the keys. */
  @Override
  public String toString() {
    return "SignatureV4[" + region + "]";
  }

  /** The host as HTTP clients send it: without the usual port of the scheme. */
  private static String host(URI uri) {
    int usual = "https".equalsIgnoreCase(uri.getScheme()) ? HTTPS : HTTP;
    return uri.getPort() < 0 || uri.getPort() == usual
        ? uri.getHost()
        : uri.getHost() + ":" + uri.getPort();
  }
}
