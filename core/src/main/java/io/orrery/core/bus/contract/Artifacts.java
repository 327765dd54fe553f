package io.orrery.core.bus.contract;

import io.orrery.core.artifact.ArtifactFile;
import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Done;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Questions about files that are kept by content; the studio answers. A file is uploaded in parts
 * and named by its digest. A tree is a list of such files under paths: that of a version of a
 * model, or of a run. A file that no tree has is dropped after a day.
 */
public final class Artifacts {
  /** The most bytes of a part of an upload, or of a piece that is read. */
  public static final int PART = 512 << 10;

  /** The most bytes of a file. */
  public static final long MOST_BYTES = 64L << 30;

  /** The most files of a tree. */
  public static final int MOST_FILES = 10_000;

  /** Finds a stored file by its digest; NotFound when it is not there. */
  public static final Address<Find, Stored> FIND =
      new Address<>("artifacts.find", Find.class, Stored.class);

  /** Stores a part of an upload; parts come in order, and a part may be repeated. */
  public static final Address<AddPart, Done> ADD_PART =
      new Address<>("artifacts.add", AddPart.class, Done.class).waiting(Address.LONG);

  /** Makes a file of an upload. Refused when it is not what its digest says. */
  public static final Address<Commit, Stored> COMMIT =
      new Address<>("artifacts.commit", Commit.class, Stored.class).waiting(Address.LONG);

  /** A piece of a stored file. */
  public static final Address<Read, TrialKeepers.Piece> READ =
      new Address<>("artifacts.read", Read.class, TrialKeepers.Piece.class);

  /** The files of a tree, in the order of their paths. */
  public static final Address<ListFiles, Files> LIST =
      new Address<>("artifacts.list", ListFiles.class, Files.class);

  /** Puts a stored file into a tree, in the place of one that was there. */
  public static final Address<PutFile, Done> PUT =
      new Address<>("artifacts.put", PutFile.class, Done.class);

  /** Drops a file of a tree, or all below a directory. */
  public static final Address<DropFiles, Done> DROP =
      new Address<>("artifacts.drop", DropFiles.class, Done.class);

  private Artifacts() {}

  /** The tree of the run of a tracking client. */
  public static String treeOfRun(String run) {
    return "run/" + run;
  }

  /**
   * A question for a file.
   *
   * @param digest SHA-256, 64 lower-case hexadecimal digits
   */
  public record Find(String digest) {}

  /** A stored file. */
  public record Stored(String digest, long bytes) {}

  /**
   * A part of an upload.
   *
   * @param upload a name that no other upload has, 32 hexadecimal digits
   * @param offset how many bytes came before
   * @param bytes at most {@link #PART}
   */
  public record AddPart(String upload, long offset, byte[] bytes) {}

  /**
   * The end of an upload.
   *
   * @param bytes how many there were
   * @param digest the digest that the content must have; null when any will do
   */
  public record Commit(String upload, long bytes, @Nullable String digest) {}

  /**
   * A question for a piece.
   *
   * @param limit the most bytes to answer with, 1 to {@link #PART}
   */
  public record Read(String digest, long offset, int limit) {}

  /**
   * A question for the files of a tree.
   *
   * @param directory only those below; empty for all
   */
  public record ListFiles(String tree, String directory) {}

  public record Files(List<ArtifactFile> files) {
    public Files {
      files = List.copyOf(files);
    }
  }

  public record PutFile(String tree, ArtifactFile file) {}

  /**
   * A request to drop files.
   *
   * @param path of a file or directory; empty for the whole tree
   */
  public record DropFiles(String tree, String path) {}
}
