package io.orrery.compute.service;

import io.orrery.core.access.ProjectName;
import io.vertx.core.Future;
import java.util.Optional;

/** Finds the logins with which images are pulled. Thread safe. */
@FunctionalInterface
public interface ImageLogins {
  /** No logins. */
  ImageLogins NONE = (project, image) -> Future.succeededFuture(Optional.empty());

  /**
   * The login of the account of a project that is nearest to an image, as it is now.
   *
   * @param image its full name
   * @return empty when the project has no account there; fails with a sentence when it has one
   *     whose password is not to be had
   */
  Future<Optional<ImageLogin>> find(ProjectName project, String image);
}
