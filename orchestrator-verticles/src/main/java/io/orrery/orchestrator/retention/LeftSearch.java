package io.orrery.orchestrator.retention;

import io.orrery.core.bus.contract.OldFiles;
import io.orrery.core.bus.contract.Retentions.OldObject;
import io.orrery.core.file.ConfinedFile;
import io.orrery.core.problem.FileFault;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A search for old files of a kind, directory by directory. One that cannot be read is logged and
 * counted, and the search goes on with the next.
 */
public final class LeftSearch {
  private static final Logger LOG = LoggerFactory.getLogger(LeftSearch.class);

  private final String kind;
  private final List<OldObject> items = new ArrayList<>();
  private long unread;

  /**
   * @param kind of the files, in words, for the log
   */
  public LeftSearch(String kind) {
    this.kind = kind;
  }

  /** A look into a directory, which may add to what was found. */
  @FunctionalInterface
  public interface Look {
    void run() throws IOException;
  }

  /** Looks into a directory; what is gone, or something else by now, has no old files. */
  public void in(Path directory, Look look) {
    try {
      look.run();
    } catch (NoSuchFileException | ConfinedFile.Unfit gone) {
      // It went, or a user has put something else in its place, meanwhile.
    } catch (IOException e) {
      unread++;
      LOG.warn("could not look for old {} in {}: {}", kind, directory, FileFault.words(e));
    }
  }

  public void add(OldObject object) {
    items.add(object);
  }

  public OldFiles.Found found() {
    return new OldFiles.Found(items, unread);
  }
}
