package io.orrery.compute.local;

import io.orrery.compute.attempt.FilePiece;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.file.ConfinedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search for reports that a trial has printed to stderr by mistake. Reports are read from stdout
 * alone, so such a line counts for nothing; its trial gets a notice that quotes the first one. It
 * is made once, when the attempt has ended, over the last {@value #MOST} bytes.
 */
final class MisplacedReports {
  private static final int MOST = 1 << 20;

  private static final List<String> BEGINNINGS = List.of("orrery: final ", "orrery: intermediate ");
  private static final String NNI = "NNISDK_MEb'";

  private MisplacedReports() {}

  /** The notice in words; null when stderr has no such line, or cannot be read. */
  static @Nullable String complaint(AttemptFiles files) throws IOException {
    Path stderr = files.log(Trials.Stream.STDERR);
    if (AttemptFiles.size(stderr) == 0) {
      return null;
    }
    try {
      FilePiece end = FilePiece.readConfined(files.directory(), stderr, -MOST, MOST);
      return complaint(new String(end.bytes(), StandardCharsets.UTF_8));
    } catch (NoSuchFileException | ConfinedFile.Unfit replaced) {
      return null;
    }
  }

  private static @Nullable String complaint(String text) {
    if (!text.contains("orrery: ") && !text.contains(NNI)) {
      return null;
    }
    List<String> found = text.lines().filter(MisplacedReports::isReport).toList();
    return switch (found.size()) {
      case 0 -> null;
      case 1 ->
          "this line of stderr is no report, because reports are read from stdout: "
              + Quote.of(found.getFirst());
      default ->
          found.size()
              + " lines of stderr are no reports, because reports are read from stdout; the first: "
              + Quote.of(found.getFirst());
    };
  }

  private static boolean isReport(String line) {
    return BEGINNINGS.stream().anyMatch(line::startsWith) || line.contains(NNI);
  }
}
