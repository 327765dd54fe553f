package io.orrery.orchestrator.objects;

import io.orrery.compute.azure.BlobContainer;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A store with the blobs below a prefix of a container. */
public final class BlobObjects implements RemoteObjects {
  private static final BlobContainer.Pointers POINTERS =
      new BlobContainer.Pointers("/artifacts/azure/container", "/artifacts/azure/key");

  private static final String CHECKED = "orrery";

  private final BlobSettings settings;
  private final Clock clock;
  private final Supplier<String> key;

  /**
   * @param key gives the key of the settings; asked for each object
   */
  public BlobObjects(BlobSettings settings, Clock clock, Supplier<String> key) {
    this.settings = settings;
    this.clock = clock;
    this.key = key;
  }

  @Override
  public void check() throws IOException {
    byte[] content = CHECKED.getBytes(StandardCharsets.UTF_8);
    String name = "check-" + UUID.randomUUID();
    Path file = Files.createTempFile("orrery-check-", "");
    try {
      Files.write(file, content);
      put(name, file, "");
    } finally {
      Files.delete(file);
    }
    byte[] back = read(name, 0, content.length);
    delete(name);
    if (!Arrays.equals(back, content)) {
      throw new IOException("the container did not give back what it was given to check it");
    }
  }

  /** The digest is not sent: each block has one of its own. */
  @Override
  public void put(String name, Path file, String digest) throws IOException {
    ask(container -> {
      container.put(settings.prefix() + name, file);
      return name;
    });
  }

  @Override
  public Optional<Instant> storedAt(String name) throws IOException {
    return ask(container -> container.storedAt(settings.prefix() + name));
  }

  @Override
  public byte @Nullable [] read(String name, long offset, int limit) throws IOException {
    return ask(container ->
            Optional.ofNullable(container.read(settings.prefix() + name, offset, limit)))
        .orElse(null);
  }

  @Override
  public void delete(String name) throws IOException {
    ask(container -> {
      container.delete(settings.prefix() + name);
      return name;
    });
  }

  @Override
  public void close() {
    // The connections are the process's.
  }

  /** An action on a container. */
  private interface Use<T> {
    T with(BlobContainer container) throws IOException;
  }

  private <T> T ask(Use<T> use) throws IOException {
    BlobContainer container =
        new BlobContainer(
            settings.endpoint(),
            settings.account(),
            key.get(),
            settings.container(),
            POINTERS,
            clock::now);
    try {
      return use.with(container);
    } catch (ProblemException e) {
      if (e.problem() instanceof Problem.Refused refused) {
        throw new IOException(
            refused.findings().stream().map(Finding::message).collect(Collectors.joining("; ")), e);
      }
      throw e;
    }
  }
}
