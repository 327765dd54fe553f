package io.orrery.core.problem;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Describes the fault of a file operation in words: Java tells it by the exception's class only.
 */
public final class FileFault {
  private FileFault() {}

  /** {@code /nope.yml does not exist}, {@code permission to /root is denied}, … */
  public static String words(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> e.getFile() + " does not exist";
      case AccessDeniedException e -> "permission to " + e.getFile() + " is denied";
      case NotDirectoryException e -> e.getFile() + " is not a directory";
      case FileAlreadyExistsException e -> e.getFile() + " is there already and no directory";
      case FileSystemException e when e.getReason() != null -> e.getFile() + ": " + e.getReason();
      case CharacterCodingException e -> "the text is not UTF-8";
      default -> {
        String message = failure.getMessage();
        yield message == null ? failure.getClass().getSimpleName() : message;
      }
    };
  }
}
