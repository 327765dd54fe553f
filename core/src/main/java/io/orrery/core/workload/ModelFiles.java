package io.orrery.core.workload;

import org.jspecify.annotations.Nullable;

/**
 * The files of a version of a model that a workload reads: frozen, so that an alias that moves
 * changes nothing that runs.
 *
 * @param id names the tree of the files in the registry; empty when they are downloaded
 * @param digest names the directory of the files: SHA-256 over their list, or over the source of a
 *     download
 * @param directory the absolute path of the files on the machine that runs the workload; null while
 *     they are not put there
 * @param source where the files are downloaded from; null for those of the registry
 */
public record ModelFiles(
    String name,
    String version,
    String id,
    String digest,
    @Nullable String directory,
    @Nullable ModelSource source) {
  /** Stands in commands and variables for the directory, which the studio does not know. */
  public static final String PLACE = "{{orrery_model_path}}";

  /** Files of the registry. */
  public ModelFiles(String name, String version, String id, String digest) {
    this(name, version, id, digest, null, null);
  }

  /** The same in a directory. */
  public ModelFiles in(String place) {
    return new ModelFiles(name, version, id, digest, place, source);
  }
}
