package io.orrery.orchestrator.azure;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The shares of a storage account in Azure Files, by the REST API with the account's key
 * (Microsoft's "Authorize with Shared Key").
 */
public final class FileShares {
  private static final String VERSION = "2022-11-02";
  private static final String POINTER = "/trainingService/storage/azureShare";
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final AzureCloud cloud;
  private final InstantSource clock;

  public FileShares(AzureCloud cloud, InstantSource clock) {
    this.cloud = cloud;
    this.clock = clock;
  }

  /** Where a share is. */
  public String url(String account, String share) {
    return cloud.files().formatted(account) + "/" + share;
  }

  /**
   * Makes a share, unless it is there.
   *
   * @param key the account's, Base64
   * @throws io.orrery.core.problem.ProblemException Refused when Azure does not want to, Busy when
   *     trying again may help
   */
  public void create(String account, String key, String share) {
    String wanted = "create the share '" + share + "' of '" + account + "'";
    HttpResponse<String> response = send("PUT", account, key, share, wanted);
    boolean there = response.statusCode() == 409 && response.body().contains("ShareAlreadyExists");
    if (response.statusCode() != 201 && !there) {
      throw AzureHttp.failure(response, wanted, POINTER);
    }
  }

  /** Whether there is such a share; fails like {@link #create}. */
  public boolean exists(String account, String key, String share) {
    String wanted = "look at the share '" + share + "' of '" + account + "'";
    HttpResponse<String> response = send("GET", account, key, share, wanted);
    if (response.statusCode() != 200 && response.statusCode() != 404) {
      throw AzureHttp.failure(response, wanted, POINTER);
    }
    return response.statusCode() == 200;
  }

  private HttpResponse<String> send(
      String method, String account, String key, String share, String wanted) {
    String date = DATE.format(clock.instant());
    String name = URLEncoder.encode(share, StandardCharsets.UTF_8);
    HttpRequest request =
        AzureHttp.request(url(account, name) + "?restype=share")
            .header("x-ms-date", date)
            .header("x-ms-version", VERSION)
            .header(
                "Authorization",
                "SharedKey " + account + ":" + signature(method, account, key, name, date))
            .method(method, BodyPublishers.noBody())
            .build();
    return AzureHttp.send(request, wanted);
  }

  /** Eleven standard headers, all of them empty here, between the verb and Azure's own. */
  private static String signature(
      String method, String account, String key, String share, String date) {
    String text =
        method
            + "\n".repeat(12)
            + "x-ms-date:"
            + date
            + "\nx-ms-version:"
            + VERSION
            + "\n/"
            + account
            + "/"
            + share
            + "\nrestype:share";
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      throw new Problem.Refused(
              new Finding(
                  "/trainingService/storage/keyVaultKey",
                  "the secret of the Key Vault is no account key: it is not Base64"))
          .toException();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }
}
