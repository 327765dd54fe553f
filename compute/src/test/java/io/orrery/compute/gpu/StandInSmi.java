package io.orrery.compute.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A program of nvidia-smi's name that prints what it prints on a machine with four devices. The
 * files {@code devices}, {@code processes} and {@code use} beside it are what it knows.
 */
public final class StandInSmi {
  private static final String SCRIPT =
      """
      #!/bin/sh
      here=$(dirname "$0")
      case "$*" in
        "--query-gpu=index,pci.bus_id,memory.total,name --format=csv,noheader,nounits")
          echo look >>"$here/looks"
          cat "$here/devices" ;;
        "--query-compute-apps=pid,gpu_bus_id,process_name --format=csv,noheader,nounits")
          cat "$here/processes" ;;
        "--query-gpu=index,utilization.gpu,memory.used,name --format=csv,noheader,nounits")
          cat "$here/use" ;;
        *) echo "Invalid combination of input arguments." ; exit 2 ;;
      esac
      """;

  private final Path directory;

  /** Installs it, with four idle devices. */
  public StandInSmi(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    script(SCRIPT);
    devices(
        """
        0, 00000000:07:00.0, 40960, NVIDIA A100-SXM4-40GB
        1, 00000000:0F:00.0, 40960, NVIDIA A100-SXM4-40GB
        2, 00000000:47:00.0, 40960, NVIDIA A100-SXM4-40GB
        3, 00000000:4E:00.0, 40960, NVIDIA A100-SXM4-40GB
        """);
    processes("");
    use(
        """
        0, 0, 3, NVIDIA A100-SXM4-40GB
        1, 0, 3, NVIDIA A100-SXM4-40GB
        2, 0, 3, NVIDIA A100-SXM4-40GB
        3, 0, 3, NVIDIA A100-SXM4-40GB
        """);
  }

  /** A PATH on which it is found, and the usual programs. */
  public String path() {
    return directory + ":/usr/bin:/bin";
  }

  /** Installs another script in its place. */
  public void script(String text) throws IOException {
    Path draft = directory.resolve("draft");
    Files.writeString(draft, text);
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(draft, directory.resolve("nvidia-smi"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Puts the sound one back. */
  public void recover() throws IOException {
    script(SCRIPT);
  }

  public void devices(String lines) throws IOException {
    replace("devices", lines);
  }

  /** {@code <pid>, <bus id>, <program>} a line. */
  public void processes(String lines) throws IOException {
    replace("processes", lines);
  }

  /** {@code <index>, <percent>, <MiB used>, <model>} a line. */
  public void use(String lines) throws IOException {
    replace("use", lines);
  }

  /** How often it was asked for the devices. */
  public int looks() throws IOException {
    Path looks = directory.resolve("looks");
    return Files.exists(looks) ? Files.readAllLines(looks).size() : 0;
  }

  private void replace(String name, String lines) throws IOException {
    Path draft = directory.resolve("draft-" + name);
    Files.writeString(draft, lines);
    Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
