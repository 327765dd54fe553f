package io.orrery.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.config.ConfigReader;
import io.orrery.orchestrator.objects.BlobSettings;
import io.orrery.orchestrator.run.ArtifactSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads where artifacts of runs are kept. */
class ArtifactKeysTest {
  private static ArtifactSettings read(String file) {
    return ArtifactKeys.read(ConfigReader.read(ArtifactKeys.KEYS, file, Map.of(), Map.of()));
  }

  @Test
  void itIsTheHomeUnlessADirectoryOrABucketIsNamed() {
    assertThat(read("{}")).isEqualTo(new ArtifactSettings.Home());
    assertThat(read("artifacts: {directory: /mnt/shared/artifacts/}"))
        .isEqualTo(new ArtifactSettings.Directory(Path.of("/mnt/shared/artifacts")));
    ArtifactSettings bucket =
        read(
            "artifacts: {s3: {endpoint: 'https://s3.example.com/', bucket: runs, prefix: /a/b,"
                + " accessKey: one, secretKey: two-secret}}");
    assertThat(bucket)
        .isInstanceOfSatisfying(
            ArtifactSettings.Bucket.class,
            named -> {
              assertThat(named.bucket().endpoint()).hasToString("https://s3.example.com");
              assertThat(named.bucket().region()).isEqualTo("us-east-1");
              assertThat(named.bucket().prefix()).isEqualTo("a/b/");
            });
    assertThat(bucket.toString()).doesNotContain("two-secret").doesNotContain("one");
  }

  @Test
  void itIsAContainerOfAnAccountInAzureOrInAnEmulator() {
    ArtifactSettings cloud =
        read("artifacts: {azure: {account: data, container: runs, prefix: a, key: 'env:KEY'}}");
    assertThat(cloud)
        .isEqualTo(
            new ArtifactSettings.Container(
                new BlobSettings(
                    "https://data.blob.core.windows.net", "data", "runs", "a/", "env:KEY")));
    ArtifactSettings emulator =
        read(
            "artifacts: {azure: {account: data, container: runs, key: own-secret,"
                + " endpoint: 'http://127.0.0.1:10000/data/'}}");
    assertThat(emulator)
        .hasToString("Container[container=BlobSettings[http://127.0.0.1:10000/data/runs/]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{directory: mnt}                                      | must be an absolute path",
        "{directory: /mnt, s3: {bucket: a}}                    | one of these",
        "{azure: {account: data}, s3: {bucket: a}}             | one of these: directory, s3, azure",
        "{azure: {account: data, container: runs}}             | needs all of these: account, container, key",
        "{azure: {account: my-data, container: runs, key: k}}  | 3 to 24 letters",
        "{azure: {account: data, container: Runs, key: k}}     | name of a container",
        "{azure: {account: data, container: runs, key: k, endpoint: 'http://h/a?b'}} | a URL such as",
        "{s3: {bucket: runs}}                                  | needs all of these",
        "{s3: {endpoint: 's3', bucket: runs, accessKey: a, secretKey: b}} | a URL such as",
        "{s3: {endpoint: 'http://s', bucket: 'a/b', accessKey: a, secretKey: b}} | name of a bucket",
        "{s3: {endpoint: 'http://s', bucket: runs, prefix: '../x', accessKey: a, secretKey: [b]}}"
            + " | is a text"
      })
  void whatCannotBeIsRefused(String document, String words) {
    assertThatThrownBy(() -> read("artifacts: " + document)).hasMessageContaining(words);
  }
}
