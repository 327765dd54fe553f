package io.orrery.compute.azure;

import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An application that logs in with a secret of its own, as the variables of Azure's tools name it.
 * Its secret is never written anywhere.
 */
public record AzureLogin(String tenant, String client, String secret) {
  /** Null when the variables are not all set. */
  public static @Nullable AzureLogin of(Map<String, String> environment) {
    String tenant = environment.getOrDefault("AZURE_TENANT_ID", "");
    String client = environment.getOrDefault("AZURE_CLIENT_ID", "");
    String secret = environment.getOrDefault("AZURE_CLIENT_SECRET", "");
    return tenant.isEmpty() || client.isEmpty() || secret.isEmpty()
        ? null
        : new AzureLogin(tenant, client, secret);
  }

  /** What to say to who asks without one. */
  static RuntimeException missing() {
    return new Problem.Refused(
            new Finding(
                "/trainingService/storage/keyVaultName",
                "the server cannot log in to the Key Vault: start it with AZURE_TENANT_ID,"
                    + " AZURE_CLIENT_ID and AZURE_CLIENT_SECRET of an application that may read"
                    + " its secrets, or set azureSecretName"))
        .toException();
  }

  @Override
  public String toString() {
    return "AzureLogin[" + tenant + ", " + client + "]";
  }
}
