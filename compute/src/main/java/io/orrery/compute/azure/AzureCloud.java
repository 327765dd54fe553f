package io.orrery.compute.azure;

import java.util.Map;

/**
 * The addresses of the services of a cloud.
 *
 * @param login the identity service, without a trailing slash
 * @param vault a Key Vault's URL, with {@code %s} for its name
 * @param files the Azure Files of a storage account, with {@code %s} for its name
 * @param blobs the Blob Storage of a storage account, with {@code %s} for its name
 * @param vaultScope what a token for Key Vaults is asked for
 */
public record AzureCloud(
    String login, String vault, String files, String blobs, String vaultScope) {
  /** The one that most have. */
  public static final AzureCloud PUBLIC =
      new AzureCloud(
          "https://login.microsoftonline.com",
          "https://%s.vault.azure.net",
          "https://%s.file.core.windows.net",
          "https://%s.blob.core.windows.net",
          "https://vault.azure.net/.default");

  private static final AzureCloud CHINA =
      new AzureCloud(
          "https://login.chinacloudapi.cn",
          "https://%s.vault.azure.cn",
          "https://%s.file.core.chinacloudapi.cn",
          "https://%s.blob.core.chinacloudapi.cn",
          "https://vault.azure.cn/.default");

  private static final AzureCloud GOVERNMENT =
      new AzureCloud(
          "https://login.microsoftonline.us",
          "https://%s.vault.usgovcloudapi.net",
          "https://%s.file.core.usgovcloudapi.net",
          "https://%s.blob.core.usgovcloudapi.net",
          "https://vault.usgovcloudapi.net/.default");

  /**
   * The cloud that {@code AZURE_AUTHORITY_HOST} names, with Blob Storage where {@code
   * AZURE_STORAGE_SERVICE_ENDPOINT} says, as Azure's own tools read them: a private cloud, or its
   * emulator.
   */
  public static AzureCloud of(Map<String, String> environment) {
    String host = environment.getOrDefault("AZURE_AUTHORITY_HOST", "");
    AzureCloud cloud =
        host.contains("chinacloudapi.cn")
            ? CHINA
            : host.contains("microsoftonline.us") ? GOVERNMENT : PUBLIC;
    String endpoint = environment.getOrDefault("AZURE_STORAGE_SERVICE_ENDPOINT", "");
    return endpoint.isBlank()
        ? cloud
        : new AzureCloud(
            cloud.login(),
            cloud.vault(),
            cloud.files(),
            endpoint.strip().replaceFirst("/+$", "").replace("%", "%%"),
            cloud.vaultScope());
  }
}
