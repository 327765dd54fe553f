package io.orrery.cli.files;

import io.orrery.cli.client.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A file of the caller that is not on this machine.
 *
 * @param plain its address, without parameters
 * @param notebook whose pod has it; null for the server
 * @param isArchive whether it is in the archive of the pod
 */
record RemoteFile(Resource plain, @Nullable String notebook, boolean isArchive) {
  RemoteFile below(String name) {
    return new RemoteFile(plain.below(name), notebook, isArchive);
  }

  /** The address, with the parameters that name the place. */
  Resource resource() {
    return plain.with("notebook", notebook).with("archive", isArchive ? Boolean.TRUE : null);
  }
}
