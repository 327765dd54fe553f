package io.orrery.cli.files;

import io.orrery.cli.client.Resource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names another place of files than the server. */
final class FilePlaceOption {
  @Option(
      names = "--notebook",
      paramLabel = "NAME",
      description = {
        "The files that this notebook of yours has in its pod on Kubernetes, instead of those on the server:",
        "/mnt/<you>, and /archives/<you> when PATH begins with that."
      })
  private @Nullable String notebook;

  boolean isServer() {
    return notebook == null;
  }

  /** The file of a path: from one's own directory on, or as programs see it. */
  RemoteFile at(String user, String path) {
    boolean isArchive = notebook != null && isBelow(path, "/archives/" + user);
    String shown = (isArchive ? "/archives/" : "/mnt/") + user;
    String inside = isBelow(path, shown) ? path.substring(shown.length()) : path;
    return new RemoteFile(
        Resource.of("files", user)
            .below(
                Arrays.stream(inside.split("/"))
                    .filter(name -> !name.isEmpty())
                    .toArray(String[]::new)),
        notebook,
        isArchive);
  }

  private static boolean isBelow(String path, String directory) {
    return path.equals(directory) || path.startsWith(directory + "/");
  }
}
