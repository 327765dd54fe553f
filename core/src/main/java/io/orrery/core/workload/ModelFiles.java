package io.orrery.core.workload;

import org.jspecify.annotations.Nullable;

/**
 * The files of a version of a model that a workload reads: frozen, so that an alias that moves
 * changes nothing that runs.
 *
 * @param id names the tree of the files
 * @param digest SHA-256 over the list of the files
 * @param directory the absolute path of the files on the machine that runs the workload; null while
 *     they are not put there
 */
public record ModelFiles(
    String name, String version, String id, String digest, @Nullable String directory) {
  /** Stands in commands and variables for the directory, which the studio does not know. */
  public static final String PLACE = "{{orrery_model_path}}";

  /** The same in a directory. */
  public ModelFiles in(String place) {
    return new ModelFiles(name, version, id, digest, place);
  }
}
