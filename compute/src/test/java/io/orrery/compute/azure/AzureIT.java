package io.orrery.compute.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AzureIT {
  /** A day with one digit: Azure wants two. */
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-01T09:08:07Z"));

  private StandInAzure azure;
  private KeyVault vault;
  private FileShares shares;

  @BeforeEach
  void open() throws Exception {
    azure = new StandInAzure();
    vault = new KeyVault(azure.cloud(), StandInAzure.LOGIN);
    shares = new FileShares(azure.cloud(), CLOCK);
  }

  @AfterEach
  void close() {
    azure.close();
  }

  @Test
  void aSecretIsReadWithATokenOfTheApplication() {
    assertThat(vault.secret("team-vault", "storage-key")).isEqualTo(StandInAzure.KEY);
    assertThat(azure.lines())
        .containsExactly(
            "POST /login/tenant-1/oauth2/v2.0/token", "GET /vault/team-vault/secrets/storage-key");
  }

  @Test
  void aSecretThatIsNotThereIsRefusedInAzuresWords() {
    assertThatThrownBy(() -> vault.secret("team-vault", "other"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem()).isInstanceOf(Problem.Refused.class))
        .hasMessageContaining("A secret with that name was not found");
  }

  @Test
  void anApplicationThatIsNotKnownIsRefusedWithoutItsSecret() {
    AzureLogin wrong = new AzureLogin("tenant-1", "client-1", "guessed");

    assertThatThrownBy(() -> new KeyVault(azure.cloud(), wrong).secret("team-vault", "x"))
        .hasMessageContaining("AADSTS7000215: Invalid client secret provided.")
        .hasMessageNotContaining("guessed");
    assertThat(wrong.toString()).doesNotContain("guessed");
  }

  @Test
  void aServerWithoutAnApplicationSaysWhatItNeeds() {
    assertThatThrownBy(() -> new KeyVault(azure.cloud(), null).secret("team-vault", "x"))
        .hasMessageContaining("AZURE_CLIENT_SECRET");
    assertThat(AzureLogin.of(Map.of("AZURE_TENANT_ID", "t", "AZURE_CLIENT_ID", "c"))).isNull();
    assertThat(azure.lines()).isEmpty();
  }

  @Test
  void aShareIsMadeOnce() {
    assertThat(shares.exists(StandInAzure.ACCOUNT, StandInAzure.KEY, "outputs")).isFalse();

    shares.create(StandInAzure.ACCOUNT, StandInAzure.KEY, "outputs");
    shares.create(StandInAzure.ACCOUNT, StandInAzure.KEY, "outputs");

    assertThat(azure.shares()).containsExactly("outputs");
    assertThat(shares.exists(StandInAzure.ACCOUNT, StandInAzure.KEY, "outputs")).isTrue();
  }

  @Test
  void whoHasNoTimeIsBusyForAsLongAsItSays() {
    azure.throttled.set(1);

    assertThatThrownBy(() -> shares.create(StandInAzure.ACCOUNT, StandInAzure.KEY, "outputs"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e ->
                assertThat(e.problem())
                    .isEqualTo(
                        new Problem.Busy(
                            "Azure refused to create the share 'outputs' of 'trialstore': HTTP 503,"
                                + " The server is busy.",
                            Duration.ofSeconds(1))));
  }

  @Test
  void aKeyThatIsNoneIsSaidToBeNone() {
    assertThatThrownBy(() -> shares.create(StandInAzure.ACCOUNT, "not base64!", "outputs"))
        .hasMessageContaining("is no account key");
    assertThatThrownBy(() -> shares.create(StandInAzure.ACCOUNT, "YmFk", "outputs"))
        .hasMessageContaining("Server failed to authenticate");
  }

  @Test
  void otherCloudsAreNamedAsAzuresToolsNameThem() {
    assertThat(AzureCloud.of(Map.of())).isEqualTo(AzureCloud.PUBLIC);
    assertThat(AzureCloud.of(Map.of("AZURE_AUTHORITY_HOST", "https://login.chinacloudapi.cn/")))
        .extracting(AzureCloud::vault)
        .isEqualTo("https://%s.vault.azure.cn");
  }

  @Test
  void blobStorageIsWhereAzuresToolsAreToldThatItIs() {
    AzureCloud cloud =
        AzureCloud.of(
            Map.of("AZURE_STORAGE_SERVICE_ENDPOINT", "http://127.0.0.1:10000/dev%20store/"));

    assertThat(cloud.blobs().formatted("account")).isEqualTo("http://127.0.0.1:10000/dev%20store");
    assertThat(cloud.vault()).isEqualTo(AzureCloud.PUBLIC.vault());
  }
}
