package io.orrery.gateway.launch;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.config.Config;
import io.orrery.core.config.ConfigKey;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
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
              + " when neither it nor artifacts.s3 is set.");

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

  static final List<ConfigKey<?>> KEYS =
      List.of(DIRECTORY, ENDPOINT, BUCKET, REGION, PREFIX, ACCESS_KEY, SECRET_KEY);

  private ArtifactKeys() {}

  static ArtifactSettings read(Config config) {
    String directory = config.find(DIRECTORY);
    String endpoint = config.find(ENDPOINT);
    String bucket = config.find(BUCKET);
    String accessKey = config.find(ACCESS_KEY);
    String secretKey = config.find(SECRET_KEY);
    if (endpoint == null && bucket == null && accessKey == null && secretKey == null) {
      return directory == null ? new ArtifactSettings.Home() : inDirectory(directory);
    }
    if (directory != null) {
      throw refused("", "artifacts has either directory or s3, not both");
    }
    if (endpoint == null || bucket == null || accessKey == null || secretKey == null) {
      throw refused(
          "/s3", "artifacts.s3 needs all of these: endpoint, bucket, accessKey, secretKey");
    }
    return new ArtifactSettings.Bucket(
        new S3Settings(
            endpoint(endpoint),
            matching(BUCKET, bucket, "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"),
            matching(REGION, config.get(REGION), "[a-z0-9-]{1,64}"),
            prefix(config.get(PREFIX)),
            accessKey,
            secretKey));
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

  private static URI endpoint(String text) {
    String plain = text.replaceAll("/+$", "");
    if (!plain.matches("https?://[A-Za-z0-9.\\[\\]:-]{1,300}")) {
      throw refused(
          "/s3/endpoint",
          "artifacts.s3.endpoint is '%s': it must be %s".formatted(text, ENDPOINT.bounds()));
    }
    return URI.create(plain);
  }

  private static String prefix(String text) {
    if (text.isEmpty()) {
      return text;
    }
    String whole = text.replaceAll("^/+|/+$", "") + "/";
    return matching(PREFIX, whole, "([A-Za-z0-9._-]{1,100}/){1,10}");
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
      throw new Problem.Refused(new Finding("", "a key of artifacts.s3 is a text")).toException();
    }
    return value.asText().strip();
  }

  private static RuntimeException refused(String pointer, String message) {
    return new Problem.Refused(new Finding("/artifacts" + pointer, message)).toException();
  }
}
