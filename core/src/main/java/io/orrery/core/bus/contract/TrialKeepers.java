package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.Topic;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of keepers, the programs that run beside the user's command where server and trial
 * share no disk. The orchestrator answers.
 *
 * <p>A keeper is named by its role and number within the attempt, such as {@code worker-0}; its
 * {@code instance} is one process of it. It may repeat every request, because an answer can be
 * lost.
 */
public final class TrialKeepers {
  /**
   * A keeper is about to start its command. Conflict when the attempt is cancelled or over, or when
   * another instance of this keeper has it: then the command must not run.
   */
  public static final Address<Start, Done> START =
      new Address<>("keepers.start", Start.class, Done.class);

  /** The record that a trial finds in its {@code parameter.cfg}. */
  public static final Address<GetParameters, ParameterFile> PARAMETERS =
      new Address<>("keepers.parameters", GetParameters.class, ParameterFile.class);

  /** A keeper lives, and asks whether it is to end its command. */
  public static final Address<Beat, Orders> BEAT =
      new Address<>("keepers.beat", Beat.class, Orders.class);

  /** The next bytes of an output stream. TooLarge when no more of it is kept. */
  public static final Address<AppendLog, Appended> LOG =
      new Address<>("keepers.log", AppendLog.class, Appended.class);

  /** The next bytes of a file that the trial left; the last ones make it appear. */
  public static final Address<AppendOutput, Appended> OUTPUT =
      new Address<>("keepers.output", AppendOutput.class, Appended.class);

  /** The command has ended, and everything that it left is here; durable when answered. */
  public static final Address<End, Done> END = new Address<>("keepers.end", End.class, Done.class);

  /**
   * An environment, the keeper of an attempt that takes others, says what runs in it and asks what
   * it is to start. Busy while no server has taken it up.
   */
  public static final Address<AskWork, Work> WORK =
      new Address<>("keepers.work", AskWork.class, Work.class);

  /** A line of a stream, at its end; what NNI's keepers bring. */
  public static final Address<AppendLine, Done> LINE =
      new Address<>("keepers.line", AppendLine.class, Done.class);

  /** Something that people should know of an attempt while it goes on. */
  public static final Address<Note, Done> NOTE =
      new Address<>("keepers.note", Note.class, Done.class);

  /**
   * All of the above that only the owner of an experiment may take, because he goes by it: {@code
   * CALL.of(experiment.epoch)}. A server that is called at the addresses above asks there.
   */
  public static final Address<Call, Reply> CALL =
      new Address<>("keepers.call", Call.class, Reply.class);

  /** A piece of a packed code directory. NotFound when the experiment has no such code. */
  public static final Address<ReadCode, Piece> CODE =
      new Address<>("keepers.code", ReadCode.class, Piece.class);

  /** The files that an attempt left here. NotFound when none of its keepers ever came. */
  public static final Address<ListFiles, FileList> FILES =
      new Address<>("keepers.files", ListFiles.class, FileList.class);

  /** A page of one directory of an attempt. NotFound when it is none, or has none of them here. */
  public static final Address<ListFolder, Folder> FOLDER =
      new Address<>("keepers.folder", ListFolder.class, Folder.class);

  /** A piece of one of the files. */
  public static final Address<ReadFile, Piece> FILE =
      new Address<>("keepers.file", ReadFile.class, Piece.class);

  /** An attempt is to end: its keepers may be told before they ask again. */
  public static final Topic<Canceled> CANCELED = new Topic<>("keepers.canceled", Canceled.class);

  /** There is something to be started in an environment: it may be told before it asks again. */
  public static final Topic<Offered> OFFERED = new Topic<>("keepers.offered", Offered.class);

  /** Characters that are kept of what a keeper says in words. */
  public static final int LONGEST_TEXT = 4_000;

  private TrialKeepers() {}

  /** A request of a keeper to the owner of its experiment. */
  public sealed interface Call {
    /** Whose keeper it is. */
    AttemptRef attempt();
  }

  /** An answer of the owner. */
  public sealed interface Reply {}

  /**
   * An order to start a keeper's command.
   *
   * @param primary whether its streams are the attempt's own
   * @param version of the keeper
   */
  public record Start(
      AttemptRef attempt, String keeper, String instance, boolean primary, String version)
      implements Call {}

  public record Done() implements Reply {}

  public record GetParameters(AttemptRef attempt) {}

  /**
   * The parameters of an attempt.
   *
   * @param json the record as text
   */
  public record ParameterFile(String json) {}

  public record Beat(AttemptRef attempt, String keeper, String instance) implements Call {}

  /**
   * The orders to a keeper.
   *
   * @param cancel whether its command is to end
   * @param servers the URLs of those that take its calls now; none where there is one server only
   */
  public record Orders(boolean cancel, List<String> servers) implements Reply {
    public Orders {
      servers = List.copyOf(servers);
    }
  }

  /**
   * A piece of a stream.
   *
   * @param offset how many bytes of the stream came before these
   */
  public record AppendLog(
      AttemptRef attempt, String keeper, Stream stream, long offset, byte[] bytes)
      implements Call {}

  /**
   * A piece of an output file.
   *
   * @param path below the output directory, with {@code /} between names
   * @param size bytes of the whole file
   */
  public record AppendOutput(
      AttemptRef attempt, String keeper, String path, long offset, long size, byte[] bytes)
      implements Call {}

  /**
   * The answer to a piece.
   *
   * @param next the offset that is wanted next. Less than the end of what was sent means that the
   *     server has not what came before it
   */
  public record Appended(long next) implements Reply {}

  /**
   * The end of a keeper's command.
   *
   * @param exitCode of the command; 128 + n after signal n
   * @param reason more about a bad end, in words; null when the exit code says all
   */
  public record End(
      AttemptRef attempt, String keeper, String instance, int exitCode, @Nullable String reason)
      implements Call {}

  /**
   * A question of an environment for work.
   *
   * @param number of the question, from 1; a server that was stopped may bring one after a later
   *     one. 0 from a keeper that does not count
   * @param running the keys of what runs in it
   * @param ended exit codes of keepers that have ended, by key, until an answer has come
   */
  public record AskWork(
      AttemptRef environment,
      String keeper,
      String instance,
      long number,
      List<String> running,
      Map<String, Integer> ended)
      implements Call {
    public AskWork {
      running = List.copyOf(running);
      ended = Map.copyOf(ended);
    }

    @Override
    public AttemptRef attempt() {
      return environment;
    }
  }

  /**
   * The work for an environment.
   *
   * @param start keepers that are to be started unless they run
   */
  public record Work(List<Order> start) implements Reply {
    public Work {
      start = List.copyOf(start);
    }
  }

  /**
   * A keeper that is to be started.
   *
   * @param key what it is called from now on
   * @param variables its environment but for the token
   * @param token opens its attempt and nothing else
   */
  public record Order(String key, Map<String, String> variables, String token) {
    public Order {
      variables = Map.copyOf(variables);
    }

    @Override
    public String toString() {
      return "Order[" + key + "]";
    }
  }

  /**
   * A line of a stream.
   *
   * @param text without its end
   */
  public record AppendLine(AttemptRef attempt, Stream stream, String text) implements Call {}

  /**
   * A note of a keeper for people.
   *
   * @param text in words
   */
  public record Note(AttemptRef attempt, String text) implements Call {}

  /**
   * A request for a piece of code.
   *
   * @param digest which code
   * @param limit most bytes to answer with, 1 to 1,048,576
   */
  public record ReadCode(ExperimentId experiment, String digest, long offset, int limit) {}

  /**
   * A piece of a file.
   *
   * @param next the offset after the last byte
   * @param size bytes of the whole
   */
  public record Piece(byte[] bytes, long next, long size) {}

  /**
   * A request for the list of an attempt's files.
   *
   * @param attempt which attempt, null for the last
   */
  public record ListFiles(TrialRef trial, @Nullable Integer attempt) {}

  /**
   * The list of an attempt's files.
   *
   * @param more whether there are more than are listed
   */
  public record FileList(List<StoredFile> files, boolean more) {
    public FileList {
      files = List.copyOf(files);
    }
  }

  /**
   * A file of an attempt.
   *
   * @param path below the attempt's directory, with {@code /} between names
   */
  public record StoredFile(String path, long bytes) {}

  /**
   * A request for a page of a directory.
   *
   * @param attempt which attempt, null for the last
   * @param path below the attempt's directory; empty for that
   * @param after the {@code next} of the page before; null for the first page
   */
  public record ListFolder(
      TrialRef trial, @Nullable Integer attempt, String path, @Nullable String after, int limit) {}

  /**
   * A page of the files and directories in a directory, by name.
   *
   * @param next where the next page begins; null when there is none
   */
  public record Folder(List<FolderEntry> entries, @Nullable String next) {
    public Folder {
      entries = List.copyOf(entries);
    }
  }

  /**
   * A file or directory in a directory.
   *
   * @param bytes of a file; 0 of a directory
   */
  public record FolderEntry(String name, boolean directory, long bytes) {}

  /**
   * A request for a piece of an attempt's file.
   *
   * @param attempt which attempt, null for the last
   * @param limit most bytes to answer with, 1 to 1,048,576
   */
  public record ReadFile(
      TrialRef trial, @Nullable Integer attempt, String path, long offset, int limit) {}

  public record Canceled(AttemptRef attempt) {}

  public record Offered(AttemptRef environment) {}
}
