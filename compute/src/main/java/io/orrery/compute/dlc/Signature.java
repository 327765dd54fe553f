package io.orrery.compute.dlc;

import io.orrery.compute.batch.Rest.Request;
import io.orrery.core.digest.Sha256;
import io.orrery.core.text.Percent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A signer of requests to Alibaba Cloud, by method V3 ({@code ACS3-HMAC-SHA256}): over method,
 * path, query, the host and the {@code x-acs-} headers, and the body's digest.
 *
 * @param id of the access key
 * @param secret of the access key
 */
record Signature(String id, String secret) {
  private static final String ALGORITHM = "ACS3-HMAC-SHA256";

  /**
   * A signed request.
   *
   * @param url scheme and host, without a trailing slash
   * @param query by names, as they are
   * @param action the operation's name
   * @param version of the API, such as {@code 2020-12-03}
   * @param body JSON text; null for none
   * @param at the present; requests are taken a quarter of an hour around it
   * @param nonce that no other request has
   */
  Request request(
      String method,
      String url,
      String path,
      Map<String, String> query,
      String action,
      String version,
      @Nullable String body,
      Instant at,
      String nonce) {
    String canonicalQuery =
        new TreeMap<>(query)
            .entrySet().stream()
                .map(
                    each -> Percent.encoded(each.getKey()) + "=" + Percent.encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    Map<String, String> headers = new TreeMap<>();
    headers.put("host", URI.create(url).getRawAuthority());
    headers.put("x-acs-action", action);
    headers.put("x-acs-version", version);
    headers.put("x-acs-date", at.truncatedTo(ChronoUnit.SECONDS).toString());
    headers.put("x-acs-signature-nonce", nonce);
    headers.put("x-acs-content-sha256", Sha256.hex(body == null ? "" : body));
    String names = String.join(";", headers.keySet());
    String lines =
        headers.entrySet().stream()
            .map(each -> each.getKey() + ":" + each.getValue() + "\n")
            .collect(Collectors.joining());
    String canonical =
        String.join(
            "\n",
            method,
            path,
            canonicalQuery,
            lines,
            names,
            String.valueOf(headers.get("x-acs-content-sha256")));
    String signature = hmac(ALGORITHM + "\n" + Sha256.hex(canonical));
    headers.remove("host");
    headers.put(
        "Authorization",
        ALGORITHM + " Credential=" + id + ",SignedHeaders=" + names + ",Signature=" + signature);
    if (body != null) {
      headers.put("Content-Type", "application/json");
    }
    return new Request(
        method, url + path + (canonicalQuery.isEmpty() ? "" : "?" + canonicalQuery), headers, body);
  }

  private String hmac(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  @Override
  public String toString() {
    return "Signature[" + id + "]";
  }
}
