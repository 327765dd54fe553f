package io.orrery.compute.azure;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to the services of a storage account with its key (Microsoft's "Authorize with
 * Shared Key").
 *
 * @param account its name
 * @param key Base64
 * @param pointer where the configuration names the key, for what is wrong with it
 */
record SharedKey(String account, String key, String pointer) {
  /** The header with the MD5 of a body, which the service compares. */
  static final String MD5 = "content-md5";

  private static final String VERSION = "2022-11-02";
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  /**
   * A request, signed.
   *
   * @param headers those whose names begin with {@code x-ms-}, in lower case, and {@link #MD5}
   * @param body of a known length
   */
  HttpRequest sign(
      String method, String url, Map<String, String> headers, BodyPublisher body, Instant now) {
    TreeMap<String, String> signed = new TreeMap<>(headers);
    signed.put("x-ms-date", DATE.format(now));
    signed.put("x-ms-version", VERSION);
    HttpRequest.Builder request = AzureHttp.request(url).method(method, body);
    signed.forEach(request::header);
    String md5 = signed.remove(MD5);
    long length = body.contentLength();
    return request
        .header(
            "Authorization",
            "SharedKey "
                + account
                + ":"
                + signature(
                    text(
                        method,
                        URI.create(url),
                        (length > 0 ? Long.toString(length) : "") + "\n" + (md5 == null ? "" : md5),
                        signed)))
        .build();
  }

  /**
   * Of the eleven standard headers between the verb and Azure's own only two are used.
   *
   * @param standard the length and the MD5 of the body, in lines
   */
  private String text(String method, URI url, String standard, TreeMap<String, String> headers) {
    StringBuilder text = new StringBuilder(method).append("\n\n\n");
    text.append(standard).append("\n".repeat(8));
    headers.forEach((name, value) -> text.append(name).append(':').append(value).append('\n'));
    text.append('/').append(account).append(url.getRawPath());
    queries(url).forEach((name, value) -> text.append('\n').append(name).append(':').append(value));
    return text.toString();
  }

  private static TreeMap<String, String> queries(URI url) {
    TreeMap<String, String> queries = new TreeMap<>();
    String raw = url.getRawQuery();
    if (raw != null) {
      for (String pair : raw.split("&", -1)) {
        int at = pair.indexOf('=');
        queries.put(
            pair.substring(0, at),
            URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
      }
    }
    return queries;
  }

  private String signature(String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      throw new Problem.Refused(
              new Finding(pointer, "what it leads to is no account key: it is not Base64"))
          .toException();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  @Override
  public String toString() {
    return "SharedKey[" + account + "]";
  }
}
