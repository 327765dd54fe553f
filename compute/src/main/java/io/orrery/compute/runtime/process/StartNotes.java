package io.orrery.compute.runtime.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The notes of the server that started a program, for the one that finds it: what its limits are
 * counted by.
 *
 * @param run the directory of the start
 */
record StartNotes(Path run) {
  private static final String WRITABLE = "writable";
  private static final String PERSON = "person";

  /**
   * @param writable the directories that the program may change
   * @param person empty for none
   */
  void write(List<Path> writable, String person) throws IOException {
    Files.write(run.resolve(WRITABLE), writable.stream().map(Path::toString).toList());
    Files.writeString(run.resolve(PERSON), person);
  }

  /** The directories that the program may change; none when they were not noted. */
  List<Path> writable() throws IOException {
    try {
      return Files.readAllLines(run.resolve(WRITABLE)).stream().map(Path::of).toList();
    } catch (NoSuchFileException notNoted) {
      return List.of();
    }
  }

  /** The person of the program; empty when none was noted. */
  String person() throws IOException {
    try {
      return Files.readString(run.resolve(PERSON));
    } catch (NoSuchFileException notNoted) {
      return "";
    }
  }
}
