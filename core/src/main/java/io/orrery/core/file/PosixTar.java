package io.orrery.core.file;

import java.io.OutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * The form of the tar streams that the product writes: POSIX.1-2001 (pax), so that names of any
 * length and alphabet and files of any size come out as they went in.
 */
public final class PosixTar {
  private PosixTar() {}

  /** A stream that writes them; finished by the caller. */
  public static TarArchiveOutputStream to(OutputStream out) {
    TarArchiveOutputStream tar = new TarArchiveOutputStream(out, "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
    return tar;
  }
}
