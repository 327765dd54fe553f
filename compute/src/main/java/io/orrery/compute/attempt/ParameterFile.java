package io.orrery.compute.attempt;

import io.orrery.core.file.DurableFile;
import io.orrery.core.trial.ParameterRecord;
import io.orrery.core.trial.ParameterSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The file in which a trial finds its parameters, as NNI writes it. It is equal each time that it
 * is written, and whole before any process is told of it, so that it needs no draft. Nothing is
 * lost with it: a server that takes an attempt up knows its parameters, and writes it again.
 */
public final class ParameterFile {
  private ParameterFile() {}

  /** Writes it, unless it is there; what a crash left in part is replaced as a file. */
  public static void write(Path file, ParameterSet parameters) throws IOException {
    byte[] content = ParameterRecord.text(parameters).getBytes(StandardCharsets.UTF_8);
    try {
      Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException earlier) {
      if (!Arrays.equals(Files.readAllBytes(file), content)) {
        DurableFile.write(file, content);
      }
    }
  }
}
