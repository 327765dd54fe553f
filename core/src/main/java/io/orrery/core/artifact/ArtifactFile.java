package io.orrery.core.artifact;

/**
 * A file of a tree of artifacts.
 *
 * @param path below the tree, as {@link ArtifactPath} allows
 * @param digest SHA-256 of the content, 64 lower-case hexadecimal digits
 * @param bytes of the content
 */
public record ArtifactFile(String path, String digest, long bytes) {
  public ArtifactFile {
    if (!ArtifactPath.valid(path)) {
      throw new IllegalArgumentException("'" + path + "' is no path: " + ArtifactPath.RULE);
    }
  }
}
