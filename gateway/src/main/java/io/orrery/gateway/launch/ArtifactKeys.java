package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.orchestrator.objects.BlobSettings;
import io.orrery.orchestrator.run.ArtifactSettings;
import io.orrery.orchestrator.s3.S3Settings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** The keys for the place of artifacts of runs. */
final class ArtifactKeys {
  static final ConfigKey<String> DIRECTORY =
      ConfigKey.text(
          "artifacts.directory",
          null,
          "an absolute path",
          "Where artifacts of runs are kept, such as a mounted file system. Below the server's home"
              + " when none of it, artifacts.s3 and artifacts.azure is set.");

  static final ConfigKey<String> ENDPOINT =
      ConfigKey.text(
          "artifacts.s3.endpoint",
          null,
          "a URL such as https://s3.eu-central-1.amazonaws.com",
          "The S3 store that keeps artifacts of runs. Buckets are addressed by a path below it.");

  static final ConfigKey<String> BUCKET =
      ConfigKey.text("artifacts.s3.bucket", null, "the name of a bucket", "Its bucket.");

  static final ConfigKey<String> REGION =
      ConfigKey.text(
          "artifacts.s3.region", "us-east-1", "the name of a region", "The region of the bucket.");

  static final ConfigKey<String> PREFIX =
      ConfigKey.text(
          "artifacts.s3.prefix",
          "",
          "letters, digits, dots, hyphens and slashes",
          "What the names of its objects begin with, such as orrery/.");

  static final ConfigKey<String> ACCESS_KEY =
      new ConfigKey<>(
          "artifacts.s3.accessKey",
          null,
          "file:/path, env:NAME, a sealed secret, or the key",
          "The account there; it is never shown.",
          ArtifactKeys::secret);

  static final ConfigKey<String> SECRET_KEY =
      new ConfigKey<>(
          "artifacts.s3.secretKey",
          null,
          "file:/path, env:NAME, a sealed secret, or the key",
          "Its secret key, read for each request; it is never shown.",
          ArtifactKeys::secret);

  static final ConfigKey<String> ACCOUNT =
      ConfigKey.text(
          "artifacts.azure.account",
          null,
          "3 to 24 letters in lower case and digits",
          "The account of Azure Storage that keeps artifacts of runs as blobs.");

  static final ConfigKey<String> CONTAINER =
      ConfigKey.text(
          "artifacts.azure.container",
          null,
          "the name of a container",
          "Its container, which must be there.");

  static final ConfigKey<String> BLOB_PREFIX =
      ConfigKey.text(
          "artifacts.azure.prefix",
          "",
          "letters, digits, dots, hyphens and slashes",
          "What the names of its blobs begin with, such as orrery/.");

  static final ConfigKey<String> KEY =
      new ConfigKey<>(
          "artifacts.azure.key",
          null,
          "file:/path, env:NAME, a sealed secret, or the key",
          "A key of the account, read for each blob; it is never shown.",
          ArtifactKeys::secret);

  static final ConfigKey<String> BLOBS =
      ConfigKey.text(
          "artifacts.azure.endpoint",
          null,
          "a URL such as https://ACCOUNT.blob.core.chinacloudapi.cn",
          "The Blob Storage of the account, unless it is at https://ACCOUNT.blob.core.windows.net;"
              + " that of an emulator ends with the account (http://127.0.0.1:10000/ACCOUNT).");

  static final List<ConfigKey<?>> KEYS =
      List.of(
          DIRECTORY,
          ENDPOINT,
          BUCKET,
          REGION,
          PREFIX,
          ACCESS_KEY,
          SECRET_KEY,
          ACCOUNT,
          CONTAINER,
          BLOB_PREFIX,
          KEY,
          BLOBS);

  private static final String HOST = "https?://[A-Za-z0-9.\\[\\]:-]{1,300}";

  private ArtifactKeys() {}

  static ArtifactSettings read(Config config) {
    String directory = config.find(DIRECTORY);
    boolean s3 = isAny(config, List.of(ENDPOINT, BUCKET, ACCESS_KEY, SECRET_KEY));
    boolean azure = isAny(config, List.of(ACCOUNT, CONTAINER, KEY, BLOBS));
    if ((directory != null && (s3 || azure)) || (s3 && azure)) {
      throw refused("", "artifacts has one of these: directory, s3, azure");
    }
    if (s3) {
      return bucket(config);
    }
    if (azure) {
      return container(config);
    }
    return directory == null ? new ArtifactSettings.Home() : inDirectory(directory);
  }

  private static boolean isAny(Config config, List<ConfigKey<String>> keys) {
    return keys.stream().anyMatch(key -> config.find(key) != null);
  }

  private static ArtifactSettings bucket(Config config) {
    String endpoint = config.find(ENDPOINT);
    String bucket = config.find(BUCKET);
    String accessKey = config.find(ACCESS_KEY);
    String secretKey = config.find(SECRET_KEY);
    if (endpoint == null || bucket == null || accessKey == null || secretKey == null) {
      throw refused(
          "/s3", "artifacts.s3 needs all of these: endpoint, bucket, accessKey, secretKey");
    }
    return new ArtifactSettings.Bucket(
        new S3Settings(
            URI.create(matching(ENDPOINT, withoutSlash(endpoint), HOST)),
            matching(BUCKET, bucket, "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"),
            matching(REGION, config.get(REGION), "[a-z0-9-]{1,64}"),
            prefix(PREFIX, config.get(PREFIX)),
            accessKey,
            secretKey));
  }

  private static ArtifactSettings container(Config config) {
    String account = config.find(ACCOUNT);
    String container = config.find(CONTAINER);
    String key = config.find(KEY);
    if (account == null || container == null || key == null) {
      throw refused("/azure", "artifacts.azure needs all of these: account, container, key");
    }
    String checked = matching(ACCOUNT, account, "[a-z0-9]{3,24}");
    String endpoint = config.find(BLOBS);
    return new ArtifactSettings.Container(
        new BlobSettings(
            endpoint == null
                ? "https://%s.blob.core.windows.net".formatted(checked)
                : matching(BLOBS, withoutSlash(endpoint), HOST + "(/[a-z0-9]{3,24})?"),
            checked,
            matching(CONTAINER, container, "(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*"),
            prefix(BLOB_PREFIX, config.get(BLOB_PREFIX)),
            key));
  }

  private static ArtifactSettings inDirectory(String directory) {
    Path path = Path.of(directory);
    if (!path.isAbsolute()) {
      throw refused(
          "/directory",
          "artifacts.directory is '%s': it must be an absolute path".formatted(directory));
    }
    return new ArtifactSettings.Directory(path.normalize());
  }

  private static String withoutSlash(String url) {
    return url.replaceAll("/+$", "");
  }

  private static String prefix(ConfigKey<String> key, String text) {
    if (text.isEmpty()) {
      return text;
    }
    String whole = text.replaceAll("^/+|/+$", "") + "/";
    return matching(key, whole, "([A-Za-z0-9._-]{1,100}/){1,10}");
  }

  private static String matching(ConfigKey<String> key, String text, String pattern) {
    if (!text.matches(pattern)) {
      throw refused(
          key.name().substring("artifacts".length()).replace('.', '/'),
          "%s is '%s': it must be %s".formatted(key.name(), text, key.bounds()));
    }
    return text;
  }

  /** A refusal does not repeat it. */
  private static String secret(JsonNode value) {
    if (!value.isValueNode() || value.asText().isBlank()) {
      throw new Problem.Refused(new Finding("", "a key of a store of artifacts is a text"))
          .toException();
    }
    return value.asText().strip();
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding("/artifacts" + pointer, message)).toException();
  }
}
