package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.TrialKeepers.Piece;
import io.orrery.core.digest.Sha256;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Questions about the code and the models that pods fetch; the orchestrator answers. */
public final class WorkloadFiles {
  /**
   * A piece of an archive. NotFound when there are no such files, or not any more.
   *
   * <p>That of code is the gzip stream of a tar stream which was uploaded, that of a model a tar
   * stream.
   */
  public static final Address<Read, Piece> READ =
      new Address<>("workloads.files", Read.class, Piece.class);

  private WorkloadFiles() {}

  /** The kinds of files that a workload reads. */
  public enum Kind {
    CODE,
    MODEL;

    /** The word for it in paths: {@code code}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of a word; empty when there is none. */
    public static Optional<Kind> of(String word) {
      return Stream.of(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
  }

  /**
   * The name of an archive, as text {@code code/<digest>}.
   *
   * @param digest SHA-256, 64 hexadecimal digits
   */
  public record Archive(Kind kind, String digest) {
    /**
     * @throws IllegalArgumentException when the digest is none
     */
    public Archive {
      if (!Sha256.isHex(digest)) {
        throw new IllegalArgumentException("'" + digest + "' is not a digest");
      }
    }

    @Override
    public String toString() {
      return kind.word() + "/" + digest;
    }
  }

  /**
   * A request for a piece.
   *
   * @param offset from 0
   * @param limit most bytes to answer with, 1 to 1,048,576
   */
  public record Read(Archive archive, long offset, int limit) {}
}
