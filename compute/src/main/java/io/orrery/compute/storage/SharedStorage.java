package io.orrery.compute.storage;

import io.orrery.compute.azure.AzureCloud;
import io.orrery.compute.azure.BlobContainer;
import io.orrery.compute.secret.SecretBox;
import io.orrery.compute.service.Keepers.Launch;
import io.orrery.core.bus.contract.TrainingServices.Item;
import io.orrery.core.experiment.SharedStorageSpec;
import io.orrery.core.experiment.SharedStorageSpec.Blob;
import io.orrery.core.experiment.SharedStorageSpec.Nfs;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.process.Umask;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings code into shared storage, and what trials have left. Thread safe; blocks. */
public final class SharedStorage {
  private static final Logger LOG = LoggerFactory.getLogger(SharedStorage.class);

  private static final String KEY = "storageAccountKey";
  private static final String WHAT = "shared storage";

  private final SecretBox secrets;
  private final AzureCloud cloud;
  private final InstantSource clock;

  /** Code that is known to be there. */
  private final Set<String> brought = ConcurrentHashMap.newKeySet();

  /**
   * @param home the server's home directory, which has the key of its secrets
   * @param variables the server's environment
   */
  public SharedStorage(
      Path home, Map<String, String> variables, AzureCloud cloud, InstantSource clock) {
    this.secrets = new SecretBox(home, variables);
    this.cloud = cloud;
    this.clock = clock;
  }

  /** A package of code as it is shipped, with its digest. */
  public record Packed(String digest, Path archive) {}

  /** What speaks against it, as far as this machine can tell. */
  public List<Finding> findings(SharedStorageSpec spec) {
    return switch (spec) {
      case Nfs nfs -> new StorageMount(nfs).findings();
      case Blob blob -> List.of();
    };
  }

  /** How it is, for who looks before an experiment; changes nothing. */
  public Item check(SharedStorageSpec spec) {
    return switch (spec) {
      case Nfs nfs -> new StorageMount(nfs).check();
      case Blob blob -> check(blob);
    };
  }

  private Item check(Blob blob) {
    try {
      BlobContainer container = container(blob);
      return Item.good(WHAT, container.url() + (container.exists() ? " answers" : " will be made"));
    } catch (ProblemException e) {
      return Item.bad(
          WHAT,
          e.problem().detail(),
          "see that storageAccountName, storageAccountKey and containerName are right");
    }
  }

  /**
   * An attempt is about to start: its code is brought, once for each content, and its directory is
   * made.
   *
   * @param code null when it gets none of ours
   * @return what its keeper is to be told, as environment variables
   */
  public Map<String, String> begin(
      AttemptRef attempt, SharedStorageSpec spec, @Nullable Packed code)
      throws IOException, InterruptedException {
    return switch (spec) {
      case Nfs nfs -> begin(attempt, nfs, code);
      case Blob blob -> {
        if (code != null) {
          bring(attempt.trial().experiment(), blob, code);
        }
        yield Map.of();
      }
    };
  }

  private Map<String, String> begin(AttemptRef attempt, Nfs nfs, @Nullable Packed code)
      throws IOException, InterruptedException {
    new StorageMount(nfs).open();
    Path here = Path.of(nfs.local());
    String directory = SharedLayout.directory(attempt);
    makeDirectories(here, here.resolve(directory));
    Map<String, String> variables = new TreeMap<>();
    variables.put("ORRERY_SHARED_DIRECTORY", nfs.remote() + "/" + directory);
    if (code != null) {
      String name = SharedLayout.code(attempt.trial().experiment(), code.digest());
      makeDirectories(here, Objects.requireNonNull(here.resolve(name).getParent()));
      bring(code.archive(), here.resolve(name));
      variables.put(Launch.CODE_ARCHIVE, nfs.remote() + "/" + name);
    }
    return variables;
  }

  /** Makes directories that trials of other accounts are to enter. */
  private static void makeDirectories(Path below, Path wanted) throws IOException {
    Path at = below;
    for (Path name : below.relativize(wanted)) {
      at = at.resolve(name);
      try {
        Files.createDirectory(at);
        Umask.usual(at);
      } catch (FileAlreadyExistsException earlier) {
        LOG.trace("{} is there", at);
      }
    }
  }

  private static void bring(Path archive, Path target) throws IOException {
    if (!Files.exists(target)) {
      Path fresh = target.resolveSibling(UUID.randomUUID() + ".new");
      Files.copy(archive, fresh);
      Umask.usual(fresh);
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private void bring(ExperimentId experiment, Blob blob, Packed code) throws IOException {
    String name = SharedLayout.code(experiment, code.digest());
    BlobContainer container = container(blob);
    if (brought.contains(container.url() + "/" + name)) {
      return;
    }
    container.create();
    container.put(name, code.archive());
    brought.add(container.url() + "/" + name);
  }

  /**
   * Puts what an attempt has left into a container; may be repeated.
   *
   * @param directory its files on the server: streams, parameters, and {@code output}
   */
  void deliver(AttemptRef attempt, Blob blob, Path directory) throws IOException {
    BlobContainer container = container(blob);
    container.create();
    String to = SharedLayout.directory(attempt) + "/";
    for (String name : List.of("stdout", "stderr", "trial.log", "parameter.cfg")) {
      put(container, to + name, directory, directory.resolve(name));
    }
    Path output = directory.resolve("output");
    if (Files.isDirectory(output, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> files;
      try (Stream<Path> all = Files.walk(output)) {
        files = all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList();
      }
      for (Path file : files) {
        String name = SharedLayout.OUTPUT + "/" + output.relativize(file);
        put(container, to + name, directory, file);
      }
    }
  }

  /** Puts a file there unless it is missing, or a link to what is not the attempt's. */
  private static void put(BlobContainer container, String blob, Path directory, Path file)
      throws IOException {
    try (FileChannel channel = ConfinedFile.open(directory, file)) {
      container.put(blob, channel);
    } catch (NoSuchFileException missing) {
      LOG.debug("{} is not there", file);
    } catch (ConfinedFile.Unfit unfit) {
      LOG.warn("could not deliver {}: {}", file, unfit.getReason());
    }
  }

  private BlobContainer container(Blob blob) {
    return new BlobContainer(
        cloud, blob.account(), secrets.open(blob.key(), KEY), blob.container(), clock);
  }
}
