package io.orrery.orchestrator.s3;

import java.net.URI;

/**
 * A bucket of an S3 store, as the configuration names it.
 *
 * @param endpoint the URL of the store, without a path; buckets are addressed by a path below it
 * @param prefix what the names of all objects begin with; empty, or ends with a slash
 * @param accessKey {@code env:NAME}, {@code file:/path}, what a {@code SecretBox} has sealed, or
 *     itself
 * @param secretKey the same
 */
public record S3Settings(
    URI endpoint, String bucket, String region, String prefix, String accessKey, String secretKey) {
  /** Nothing of the keys. */
  @Override
  public String toString() {
    return "S3Settings[" + endpoint + "/" + bucket + "/" + prefix + "]";
  }
}
