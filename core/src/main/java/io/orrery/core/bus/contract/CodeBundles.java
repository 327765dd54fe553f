package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.code.CodeLimits;
import java.util.List;

/**
 * Questions about uploaded code; the orchestrator answers. A bundle is a gzip stream of the tar
 * format of {@link io.orrery.core.code.CodeArchive}, named by the digest of the tar stream.
 */
public final class CodeBundles {
  /** The most bytes of a packed bundle. */
  public static final int MOST_BYTES = 64 << 20;

  /** The most bytes of a part of one. */
  public static final int PART = 512 << 10;

  /** The limits of the content. */
  public static final CodeLimits CONTENT = new CodeLimits(10_000, 300L << 20);

  /** Whether a bundle is stored. */
  public static final Address<Find, Found> FIND =
      new Address<>("bundles.find", Find.class, Found.class);

  /**
   * Stores a part of an upload; the upload is forgotten when it is not committed within an hour.
   */
  public static final Address<AddPart, Done> ADD_PART =
      new Address<>("bundles.add", AddPart.class, Done.class);

  /** Makes a bundle of an upload. Refused when it is not what its digest says. */
  public static final Address<Commit, Done> COMMIT =
      new Address<>("bundles.commit", Commit.class, Done.class).waiting(Address.LONG);

  /** Forgets all bundles that are older than a day and not among those in use. */
  public static final Address<Keep, Done> KEEP =
      new Address<>("bundles.keep", Keep.class, Done.class).waiting(Address.LONG);

  private CodeBundles() {}

  /** A question for a bundle, by its digest. */
  public record Find(String digest) {}

  public record Found(boolean there) {}

  /**
   * A part of an upload.
   *
   * @param upload a name that no other upload has
   * @param number from 0
   * @param bytes at most {@link #PART}
   */
  public record AddPart(String upload, int number, byte[] bytes) {}

  /**
   * The end of an upload.
   *
   * @param digest SHA-256 of the tar stream, 64 hexadecimal digits
   * @param parts the number of its parts
   */
  public record Commit(String upload, String digest, int parts) {}

  /** The digests that are in use. */
  public record Keep(List<String> digests) {
    public Keep {
      digests = List.copyOf(digests);
    }
  }
}
