package io.orrery.orchestrator.run;

import io.orrery.core.code.CodeArchive;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.code.CodeTree;
import io.orrery.core.digest.Sha256;
import io.orrery.core.file.SyncedFile;
import io.orrery.core.problem.Finding;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepOutput.Kind;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

/**
 * The store of artifacts in a home directory, {@code run-artifacts/<2 digits>/<digest>}: a file as
 * it is, a directory as the tar stream of {@link CodeArchive}, each named by its SHA-256. Equal
 * contents are stored once. Blocks.
 */
final class RunArtifacts {
  /** The limits of an artifact. */
  private static final CodeLimits LIMITS = new CodeLimits(100_000, 64L << 30);

  private static final String DRAFT = "new-";

  private final Path root;

  RunArtifacts(Path home) {
    this.root = home.toAbsolutePath().normalize().resolve("run-artifacts");
  }

  /**
   * Stores a file or directory; it is on the disk when this returns.
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
    Files.createDirectories(root);
    Path draft = Files.createTempFile(root, DRAFT, "");
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
      keep(draft, digest);
      return new StepOutput(name, directory ? Kind.DIRECTORY : Kind.FILE, null, digest, bytes);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Puts a draft into its place; in that of an equal one, which is young again by that. */
  private synchronized void keep(Path draft, String digest) throws IOException {
    Path file = file(digest);
    Path folder = Objects.requireNonNull(file.getParent());
    Files.createDirectories(folder);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    SyncedFile.syncNames(folder);
    SyncedFile.syncNames(root);
  }

  /**
   * Deletes an artifact that no run has any more.
   *
   * @param before one that was stored, or found equal, later stays
   * @return whether it is gone
   */
  synchronized boolean discard(String digest, Instant before) throws IOException {
    Path file = file(digest);
    if (Files.exists(file) && !Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
      return false;
    }
    Files.deleteIfExists(file);
    return true;
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
    try (DirectoryStream<Path> drafts = Files.newDirectoryStream(root, DRAFT + "*")) {
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
  boolean has(List<StepOutput> outputs) {
    return outputs.stream()
        .map(StepOutput::digest)
        .allMatch(digest -> digest == null || Files.isRegularFile(file(digest)));
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
    try (InputStream from = new BufferedInputStream(Files.newInputStream(file(digest)))) {
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
    try (FileChannel channel = FileChannel.open(file(digest), StandardOpenOption.READ)) {
      long left = Math.max(0, channel.size() - offset);
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(limit, left));
      while (piece.hasRemaining() && channel.read(piece, offset + piece.position()) > 0) {
        // Goes on until the piece is full.
      }
      return Arrays.copyOf(piece.array(), piece.position());
    }
  }

  private Path file(String digest) {
    return root.resolve(digest.substring(0, 2)).resolve(digest);
  }
}
