package io.orrery.compute.azure;

import io.orrery.core.text.Percent;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.Map;

/** The shares of a storage account in Azure Files, by the REST API with the account's key. */
public final class FileShares {
  private static final String POINTER = "/trainingService/storage/azureShare";
  private static final String KEY_POINTER = "/trainingService/storage/keyVaultKey";

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
    String name = Percent.encoded(share);
    HttpRequest request =
        new SharedKey(account, key, KEY_POINTER)
            .sign(
                method,
                url(account, name) + "?restype=share",
                Map.of(),
                BodyPublishers.noBody(),
                clock.instant());
    return AzureHttp.send(request, wanted);
  }
}
