package io.orrery.orchestrator.run;

import io.orrery.compute.secret.SecretBox;
import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.code.CodeTree;
import io.orrery.core.digest.Sha256;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepOutput.Kind;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.objects.BlobObjects;
import io.orrery.orchestrator.objects.BlobSettings;
import io.orrery.orchestrator.objects.RemoteObjects;
import io.orrery.orchestrator.s3.S3Bucket;
import io.orrery.orchestrator.s3.S3Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The store of artifacts: a file as it is, a directory as the tar stream of {@link CodeArchive},
 * each named by its SHA-256. Equal contents are stored once. What was stored in the home before
 * another place was chosen is found there. Blocks.
 */
final class RunArtifacts implements AutoCloseable {
  /** The limits of an artifact. */
  private static final CodeLimits LIMITS = new CodeLimits(100_000, 64L << 30);

  private static final String DRAFT = "new-";

  private final ArtifactPlace chosen;

  /** The home's, which a choice of another place leaves behind. */
  private final DirectoryPlace home;

  /** Artifacts in a home. */
  RunArtifacts(Path home) {
    this.home = new DirectoryPlace(directory(home));
    this.chosen = this.home;
  }

  /** Artifacts in some place. */
  RunArtifacts(ArtifactPlace chosen, Path home) {
    this.chosen = chosen;
    this.home = new DirectoryPlace(directory(home));
  }

  /** Artifacts where an operator wants them. */
  static RunArtifacts of(ArtifactSettings settings, Path home, Clock clock) {
    return switch (settings) {
      case ArtifactSettings.Home ignored -> new RunArtifacts(home);
      case ArtifactSettings.Directory(Path path) ->
          new RunArtifacts(new DirectoryPlace(path), home);
      case ArtifactSettings.Bucket(S3Settings bucket) -> {
        SecretBox box = new SecretBox(home, System.getenv());
        yield in(
            new S3Bucket(
                bucket,
                clock,
                () ->
                    new S3Bucket.Keys(
                        box.open(bucket.accessKey(), "/artifacts/s3/accessKey"),
                        box.open(bucket.secretKey(), "/artifacts/s3/secretKey"))),
            home,
            clock);
      }
      case ArtifactSettings.Container(BlobSettings container) -> {
        SecretBox box = new SecretBox(home, System.getenv());
        yield in(
            new BlobObjects(
                container, clock, () -> box.open(container.key(), "/artifacts/azure/key")),
            home,
            clock);
      }
    };
  }

  private static RunArtifacts in(RemoteObjects store, Path home, Clock clock) {
    return new RunArtifacts(new ObjectPlace(store, directory(home), clock), home);
  }

  /** Checks that artifacts can be stored. */
  void check() throws IOException {
    chosen.check();
  }

  @Override
  public void close() {
    chosen.close();
  }

  /** The directory of artifacts in a home. */
  static Path directory(Path home) {
    return home.toAbsolutePath().normalize().resolve("run-artifacts");
  }

  /**
   * Stores a file or directory; it is in its place for good when this returns.
   *
   * @throws IOException when it cannot be read, is no file or directory, or is too large
   */
  StepOutput put(String name, Path source) throws IOException {
    boolean directory = Files.isDirectory(source);
    if (!directory && !Files.isRegularFile(source)) {
      throw new IOException("it is no file and no directory");
    }
    CodeTree tree = directory ? CodeTree.whole(source) : null;
    if (tree != null) {
      List<Finding> findings = tree.check("", LIMITS);
      if (!findings.isEmpty()) {
        throw new IOException(
            findings.stream().map(Finding::message).collect(Collectors.joining("; ")));
      }
    }
    Files.createDirectories(chosen.drafts());
    Path draft = Files.createTempFile(chosen.drafts(), DRAFT, "");
    try {
      String digest;
      long bytes;
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE);
          OutputStream to = Channels.newOutputStream(channel)) {
        digest = tree == null ? copy(source, to) : CodeArchive.write(tree, to);
        to.flush();
        channel.force(true);
        bytes = channel.size();
      }
      chosen.keep(draft, digest);
      return new StepOutput(name, directory ? Kind.DIRECTORY : Kind.FILE, null, digest, bytes);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /**
   * Deletes an artifact that no run has any more.
   *
   * @param before one that was stored, or found equal, later stays
   * @return whether it is gone
   */
  boolean discard(String digest, Instant before) throws IOException {
    boolean gone = chosen.discard(digest, before);
    return (chosen.equals(home) || home.discard(digest, before)) && gone;
  }

  /**
   * The names of some contents of the home that were stored long ago; see {@link
   * DirectoryPlace#names}. A store that was chosen in its place may have contents of other
   * installations, which this one knows nothing of.
   */
  DirectoryPlace.Names names(@Nullable String after, Instant before) throws IOException {
    return home.names(after, before);
  }

  /** Deletes a content of the home that no run has. */
  void discardStray(String digest, Instant before) throws IOException {
    home.discard(digest, before);
  }

  private static String copy(Path source, OutputStream to) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream from = Files.newInputStream(source)) {
      from.transferTo(new DigestOutputStream(to, digest));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Deletes what a server that was killed has left of artifacts that it was storing. */
  void deleteDrafts(Instant before) throws IOException {
    try (DirectoryStream<Path> drafts = Files.newDirectoryStream(chosen.drafts(), DRAFT + "*")) {
      for (Path draft : drafts) {
        if (Files.getLastModifiedTime(draft).toInstant().isBefore(before)) {
          Files.deleteIfExists(draft);
        }
      }
    } catch (NoSuchFileException none) {
      // No artifact was stored yet.
    }
  }

  /** Whether all artifacts among some outputs are there. */
  boolean has(List<StepOutput> outputs) throws IOException {
    for (StepOutput output : outputs) {
      String digest = output.digest();
      if (digest != null && !chosen.has(digest) && !home.has(digest)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Puts an output where a step finds it.
   *
   * @param target must not exist
   * @throws IOException when the stored content is gone, or is not what its digest says
   */
  void place(StepOutput output, Path target) throws IOException {
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    String digest = output.digest();
    if (digest == null) {
      Files.writeString(target, Objects.requireNonNullElse(output.value(), ""));
      return;
    }
    try (InputStream from = open(digest)) {
      String found;
      if (output.kind() == Kind.DIRECTORY) {
        Files.createDirectories(target);
        found = CodeArchive.unpack(from, target, LIMITS);
      } else {
        MessageDigest read = Sha256.begin();
        Files.copy(new DigestInputStream(from, read), target);
        found = HexFormat.of().formatHex(read.digest());
      }
      if (!found.equals(digest)) {
        throw new IOException(
            "the stored artifact sha256:" + digest + " is damaged: it is " + found);
      }
    } catch (NoSuchFileException e) {
      throw new IOException("the artifact sha256:" + digest + " is not in the store any more", e);
    }
  }

  /** A piece of an output; empty behind its end. */
  byte[] read(StepOutput output, long offset, int limit) throws IOException {
    String digest = output.digest();
    if (digest == null) {
      byte[] all = Objects.requireNonNullElse(output.value(), "").getBytes(StandardCharsets.UTF_8);
      int from = (int) Math.min(all.length, offset);
      return Arrays.copyOfRange(all, from, Math.min(all.length, from + limit));
    }
    try {
      return chosen.read(digest, offset, limit);
    } catch (NoSuchFileException e) {
      return home.read(digest, offset, limit);
    }
  }

  private InputStream open(String digest) throws IOException {
    try {
      return chosen.open(digest);
    } catch (NoSuchFileException e) {
      return home.open(digest);
    }
  }
}
