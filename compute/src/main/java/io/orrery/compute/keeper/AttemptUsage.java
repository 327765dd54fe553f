package io.orrery.compute.keeper;

import io.orrery.compute.attempt.AttemptLayout;
import io.orrery.core.bus.contract.Trials.Stream;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The usage of the server's disk by an attempt, or what something adds to that.
 *
 * @param keepers that have come
 * @param logs bytes of their streams
 * @param outputs bytes of the files that they left, also of those that are not there whole yet
 * @param entries how many files and directories that takes
 */
record AttemptUsage(int keepers, long logs, long outputs, int entries) {
  static final AttemptUsage NOTHING = new AttemptUsage(0, 0, 0, 0);
  static final AttemptUsage KEEPER = new AttemptUsage(1, 0, 0, 0);

  private static final Set<String> STREAMS =
      Arrays.stream(Stream.values())
          .map(AttemptLayout::file)
          .collect(Collectors.toUnmodifiableSet());

  static AttemptUsage log(long bytes, int entries) {
    return new AttemptUsage(0, bytes, 0, entries);
  }

  static AttemptUsage output(long bytes, int entries) {
    return new AttemptUsage(0, 0, bytes, entries);
  }

  AttemptUsage plus(AttemptUsage more) {
    return new AttemptUsage(
        keepers + more.keepers, logs + more.logs, outputs + more.outputs, entries + more.entries);
  }

  /** What the disk says. */
  static AttemptUsage of(KeptFiles files) throws IOException {
    Count count = new Count(files);
    Files.walkFileTree(files.directory(), count);
    return count.all;
  }

  private static final class Count extends SimpleFileVisitor<Path> {
    private final KeptFiles files;
    AttemptUsage all = NOTHING;

    Count(KeptFiles files) {
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path child, BasicFileAttributes is) {
      if (files.isLaterAttempt(child)) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      if (!files.isOfLayout(child)) {
        all = all.plus(output(0, 1));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
      all = all.plus(kept(file, is.size()));
      return FileVisitResult.CONTINUE;
    }

    private AttemptUsage kept(Path file, long bytes) {
      if (file.startsWith(files.register().keepers())) {
        return KeeperRegistry.isClaim(file) ? KEEPER : NOTHING;
      }
      boolean stream = STREAMS.contains(String.valueOf(file.getFileName()));
      if (files.isOfLayout(file.getParent())) {
        // Beside streams there is what the server wrote itself.
        return stream ? log(bytes, 1) : NOTHING;
      }
      Path at = files.directory().relativize(file);
      boolean ofOther = at.getNameCount() == 3 && at.startsWith("roles");
      return stream && ofOther ? log(bytes, 1) : output(bytes, 1);
    }

    /** Drafts come and go meanwhile. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }
  }
}
