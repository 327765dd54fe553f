package io.orrery.core.process;

import io.orrery.core.project.HostMounts;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox for programs of people, made by bubblewrap ({@code bwrap(1)}): the root file system is
 * read-only, the places that hold secrets are empty, other processes are not seen, and only the
 * program's own directories can be written. The network is that of the machine: a program talks to
 * the server with the token that it was given.
 *
 * <p>An operator may switch it off; then every program runs as it stands.
 */
public final class Sandbox {
  /** A sandbox that is switched off: programs run with their own words. */
  public static final Sandbox NONE =
      new Sandbox(
          null,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          ProgramLimits.NONE,
          PersonPrograms.UNLIMITED);

  /**
   * Ignores the signals that ask a program to end, so that the sandbox outlives the program, which
   * gets them as usual: {@code env --default-signal} undoes this inside.
   */
  private static final String OUTLIVING = "trap '' TERM INT HUP; \"$@\"; exit $?";

  /** Ends with the signal; the sandbox ends with its parent, and the program with the sandbox. */
  private static final String ENDING = "\"$@\"; exit $?";

  /** Home directories, sockets of other services, and files that programs leave for each other. */
  private static final List<Path> ALWAYS_HIDDEN =
      Stream.of("/home", "/root", "/run", "/tmp", "/var/tmp").map(Path::of).toList();

  private static final List<String> SEARCH_PATHS =
      List.of("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT");

  private static final List<String> DEVICES =
      List.of("nvidia", "dri", "kfd", "infiniband", "dxg", "accel");

  private final @Nullable Path bubblewrap;
  private final List<Path> hidden;
  private final List<Path> readable;
  private final List<Path> writable;
  private final List<Path> devices;
  private final ProgramLimits limits;
  private final PersonPrograms people;

  private Sandbox(
      @Nullable Path bubblewrap,
      List<Path> hidden,
      List<Path> readable,
      List<Path> writable,
      List<Path> devices,
      ProgramLimits limits,
      PersonPrograms people) {
    this.limits = limits;
    this.people = people;
    this.bubblewrap = bubblewrap;
    this.devices = List.copyOf(devices);
    this.hidden = List.copyOf(hidden);
    this.readable = List.copyOf(readable);
    this.writable = List.copyOf(writable);
  }

  /**
   * The directories of a program.
   *
   * @param work where it starts; readable, unless a hidden place holds it
   * @param readable its further directories, made by the server for it
   * @param writable its directories that it may change, made by the server for it
   * @param workspace the directory of its person, which it may change; null for none
   * @param archive the same for what the person keeps
   */
  public record Mounts(
      Path work,
      List<Path> readable,
      List<Path> writable,
      @Nullable Workspace workspace,
      @Nullable Workspace archive) {
    public Mounts {
      readable = List.copyOf(readable);
      writable = List.copyOf(writable);
    }

    /** Directories of a program that needs no archive. */
    public Mounts(
        Path work, List<Path> readable, List<Path> writable, @Nullable Workspace workspace) {
      this(work, readable, writable, workspace, null);
    }

    /** Directories that are seen where they lie. */
    public Mounts(Path work, List<Path> readable, List<Path> writable) {
      this(work, readable, writable, null);
    }
  }

  /**
   * A directory of a person.
   *
   * @param directory where it lies
   * @param shownAt the path below a directory of the root, such as {@code /mnt}, at which programs
   *     see it where the machine has that directory
   */
  public record Workspace(Path directory, Path shownAt) {}

  /** The path at which a program sees a directory of its person. */
  public Path seenAt(Workspace directory) {
    return moves(directory) ? directory.shownAt() : directory.directory();
  }

  /** The path at which a program sees the directory where it starts. */
  public Path seenAt(Mounts mounts) {
    Workspace workspace = mounts.workspace();
    return workspace != null && moves(workspace) && mounts.work().startsWith(workspace.directory())
        ? workspace.shownAt().resolve(workspace.directory().relativize(mounts.work()))
        : mounts.work();
  }

  /** Whether a program sees its person's directory at another path than where it lies. */
  private boolean moves(Workspace workspace) {
    return isOn() && Files.isDirectory(root(workspace));
  }

  private static Path root(Workspace workspace) {
    return Path.of("/").resolve(workspace.shownAt().getName(0));
  }

  /**
   * A sandbox that hides the directories of the server and the home of its user.
   *
   * @param bubblewrap the program
   * @param homes of the server: its own, and one that it shares with other servers
   * @param environment of the server, whose search paths stay readable where they lie below a
   *     hidden place
   * @param readable further directories that programs may read, as the operator says
   * @param writable further directories that programs may change, as the operator says
   */
  public static Sandbox of(
      Path bubblewrap,
      List<Path> homes,
      Map<String, String> environment,
      List<Path> readable,
      List<Path> writable) {
    Set<Path> hidden = new LinkedHashSet<>(ALWAYS_HIDDEN);
    homes.forEach(home -> hidden.add(real(home)));
    String user = environment.get("HOME");
    if (user != null && user.startsWith("/") && Path.of(user).getNameCount() > 0) {
      hidden.add(real(Path.of(user)));
    }
    List<Path> places = hidden.stream().filter(Files::isDirectory).map(Sandbox::real).toList();
    Set<Path> shown = new TreeSet<>();
    for (String variable : SEARCH_PATHS) {
      for (String entry : environment.getOrDefault(variable, "").split(":")) {
        if (entry.startsWith("/")) {
          installation(real(Path.of(entry)), places).filter(Sandbox::isOpen).ifPresent(shown::add);
        }
      }
    }
    readable.forEach(path -> shown.add(real(path)));
    return new Sandbox(
        bubblewrap,
        places.stream().distinct().sorted(Comparator.comparingInt(Path::getNameCount)).toList(),
        List.copyOf(shown),
        writable.stream().map(Sandbox::real).toList(),
        devices(),
        ProgramLimits.NONE,
        PersonPrograms.UNLIMITED);
  }

  /**
   * The same with limits.
   *
   * @param each of each program
   * @param all counts the programs of each person
   */
  public Sandbox with(ProgramLimits each, PersonPrograms all) {
    return new Sandbox(bubblewrap, hidden, readable, writable, devices, each, all);
  }

  /** The limits of each program. */
  public ProgramLimits limits() {
    return limits;
  }

  /** The programs of each person, which all that supervise programs report to. */
  public PersonPrograms people() {
    return people;
  }

  /** The directory of an installation to which an entry of a search path belongs. */
  private static Optional<Path> installation(Path entry, List<Path> hidden) {
    if (hidden.stream().noneMatch(place -> isBelow(entry, place))) {
      return Optional.empty();
    }
    Path parent = entry.getParent();
    // ~/.pyenv for ~/.pyenv/shims; never a whole home, nor ~/.local, which holds keyrings.
    return Optional.of(
        parent == null
                || parent.endsWith(".local")
                || hidden.stream().anyMatch(place -> place.startsWith(parent))
            ? entry
            : parent);
  }

  /** Whether the server may read a path; bubblewrap fails on a path that it may not read. */
  private static boolean isOpen(Path path) {
    try {
      path.getFileSystem().provider().checkAccess(path);
      return true;
    } catch (IOException denied) {
      return !(denied instanceof AccessDeniedException);
    }
  }

  private static boolean isBelow(Path path, Path place) {
    return path.startsWith(place) && !path.equals(place);
  }

  /** A path without symbolic links, as far as it exists. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException notThere) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** Whether programs are kept apart. */
  public boolean isOn() {
    return bubblewrap != null;
  }

  /**
   * Whether a directory that a person named can be seen by that person's programs: it lies in no
   * hidden place, or in a part of one that the operator or a search path shows.
   */
  public boolean shows(Path directory) {
    Path path = real(directory);
    return !isOn()
        || hidden.stream().noneMatch(path::startsWith)
        || Stream.concat(readable.stream(), writable.stream()).anyMatch(path::startsWith);
  }

  /** The directories of this machine that containers of people may mount. */
  public HostMounts mountable() {
    return isOn() ? new HostMounts(writable.stream().map(Path::toString).toList()) : HostMounts.ANY;
  }

  /** The sentence about a directory that {@link #shows} denies. */
  public static String hiddenWords(String directory) {
    return directory
        + " is hidden from programs of people, because it lies in a home directory, /run or /tmp:"
        + " put the code elsewhere, or ask the administrator to name it in auth.sandboxRead";
  }

  /**
   * The words that run a program in the sandbox. Its environment is that of the sandbox, so no
   * secret stands in the words. A program that is asked to end by a signal to its process or its
   * group has its time for that; the end of the sandbox's parent ends it at once.
   */
  public List<String> line(Mounts mounts, List<String> program) {
    return line(OUTLIVING, mounts, program);
  }

  /** The same, for a program that is ended without delay when its first process gets SIGTERM. */
  public List<String> endingLine(Mounts mounts, List<String> program) {
    return line(ENDING, mounts, program);
  }

  private List<String> line(String script, Mounts mounts, List<String> program) {
    if (bubblewrap == null) {
      return limits.line(program, false);
    }
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", script, "orrery-sandbox"));
    line.add(bubblewrap.toString());
    // Those of a server that is root are kept otherwise, and unmount what hides its directories.
    // Without the last one root, unlike other users, could make no user namespace (Linux 5.12).
    line.addAll(List.of("--cap-drop", "ALL", "--cap-add", "CAP_SETFCAP"));
    line.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
    devices.forEach(device -> add(line, "--dev-bind-try", device));
    List<Workspace> personal =
        Stream.of(mounts.workspace(), mounts.archive()).flatMap(Stream::ofNullable).toList();
    // Before what is hidden or writable below them: a later mount covers an earlier one.
    personal.stream().filter(this::moves).forEach(each -> move(line, each));
    hidden.forEach(place -> line.addAll(List.of("--tmpfs", place.toString())));
    readable.forEach(path -> add(line, "--ro-bind-try", path));
    mounts.readable().forEach(path -> add(line, "--ro-bind-try", real(path)));
    writable.forEach(path -> add(line, "--bind-try", path));
    mounts.writable().forEach(path -> add(line, "--bind", real(path)));
    personal.stream()
        .filter(each -> !moves(each))
        .forEach(each -> add(line, "--bind", real(each.directory())));
    line.addAll(
        List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--chdir"));
    Path seen = seenAt(mounts);
    line.add((seen.equals(mounts.work()) ? real(seen) : seen).toString());
    line.addAll(List.of("--", "/usr/bin/env", "--default-signal=TERM,INT,HUP"));
    line.addAll(limits.line(program, true));
    return List.copyOf(line);
  }

  /** Shows a directory of a person elsewhere than where it lies. */
  private static void move(List<String> line, Workspace workspace) {
    String root = root(workspace).toString();
    line.addAll(List.of("--tmpfs", root));
    entries(root(workspace)).forEach(path -> add(line, "--ro-bind-try", path));
    line.addAll(
        List.of("--bind", real(workspace.directory()).toString(), workspace.shownAt().toString()));
    line.addAll(List.of("--remount-ro", root));
  }

  private static void add(List<String> line, String option, Path path) {
    line.addAll(List.of(option, path.toString(), path.toString()));
  }

  /** The entries of a directory of the machine, which stay where they are. */
  private static List<Path> entries(Path root) {
    try (Stream<Path> all = Files.list(root)) {
      return all.sorted().toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /** Devices for computing, which the sandbox has as the machine does. */
  private static List<Path> devices() {
    try (Stream<Path> all = Files.list(Path.of("/dev"))) {
      return all.filter(
              device -> DEVICES.stream().anyMatch(device.getFileName().toString()::startsWith))
          .sorted()
          .toList();
    } catch (IOException noDevices) {
      return List.of();
    }
  }

  /**
   * The part of the server's environment that a program gets: a few variables when it is kept
   * apart, because the others may be secrets.
   *
   * @param own a directory that the program may write: its HOME
   */
  public Map<String, String> environment(Map<String, String> whole, Path own) {
    if (!isOn()) {
      return whole;
    }
    Map<String, String> part = PythonEnvironment.of(whole);
    part.put("HOME", own.toString());
    part.remove("TMPDIR");
    return part;
  }
}
