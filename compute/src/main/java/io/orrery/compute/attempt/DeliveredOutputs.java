package io.orrery.compute.attempt;

import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.file.DirectoryTree;
import io.orrery.core.file.DurableFile;
import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/**
 * The outputs of a step whose keeper has delivered them as one tar file, the only file that such a
 * step leaves. Blocks.
 */
public final class DeliveredOutputs {
  /** The file below the directory of what an attempt leaves. */
  public static final String FILE = "outputs.tar";

  private static final CodeLimits LIMITS = new CodeLimits(100_000, 64L << 30);

  private DeliveredOutputs() {}

  /**
   * Unpacks them in the place of a directory; does nothing when that was done.
   *
   * @param attempt the directory of the attempt's files
   * @throws io.orrery.core.problem.ProblemException Refused when they did not arrive
   */
  public static void unpack(Path attempt, Path outputs) throws IOException {
    Path parent = Objects.requireNonNull(outputs.toAbsolutePath().getParent());
    Path done = parent.resolve(".brought");
    Path packed = attempt.resolve("output").resolve(FILE);
    if (!Files.exists(done)) {
      Path fresh = parent.resolve("outputs.new");
      DirectoryTree.delete(fresh);
      Files.createDirectories(fresh);
      try (InputStream tar = new BufferedInputStream(Files.newInputStream(packed))) {
        CodeArchive.unpack(tar, fresh, LIMITS);
      } catch (NoSuchFileException missing) {
        throw refused("its keeper could not deliver them; the end of stderr says why");
      } catch (IOException e) {
        throw refused(FileFault.words(e));
      }
      DirectoryTree.delete(outputs);
      Files.move(fresh, outputs, StandardCopyOption.ATOMIC_MOVE);
      DurableFile.create(done, new byte[0]);
    }
    Files.deleteIfExists(packed);
  }

  private static RuntimeException refused(String why) {
    return new Problem.Refused(new Finding("", "the outputs of the step did not arrive: " + why))
        .toException();
  }
}
