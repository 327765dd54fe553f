package io.orrery.compute.gpu;

import io.orrery.compute.gpu.GpuDevice.GpuProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser for what nvidia-smi prints. Two questions in its CSV form, which has been the same since
 * driver 319: the devices, and the processes that compute on them. Where a device does not answer,
 * the fields hold words in brackets.
 *
 * @see <a href="https://docs.nvidia.com/deploy/nvidia-smi/">nvidia-smi</a>
 */
public final class NvidiaSmi {
  /** The arguments that ask for the devices. */
  public static final List<String> DEVICES =
      List.of("--query-gpu=index,pci.bus_id,memory.total,name", "--format=csv,noheader,nounits");

  /** The arguments that ask for what computes on them. */
  public static final List<String> PROCESSES =
      List.of("--query-compute-apps=pid,gpu_bus_id,process_name", "--format=csv,noheader,nounits");

  /** The arguments that ask how much the devices are used. */
  public static final List<String> USE =
      List.of(
          "--query-gpu=index,utilization.gpu,memory.used,name", "--format=csv,noheader,nounits");

  /** The program's or the model's name is the last field, since it may hold commas. */
  private static final Pattern DEVICE = Pattern.compile("(\\d{1,4}), ([^,]+), ([^,]+), (.+)");

  private static final Pattern PROCESS = Pattern.compile("(\\d{1,10}), ([^,]+), (.*)");

  /** Said beside an answer that is sound for the other devices, whatever the exit code. */
  private static final Pattern COMPLAINT =
      Pattern.compile(
          "(WARNING: |Unable to determine the device handle |No devices were found"
              + "|No running ).*");

  private static final int LONGEST = 120;

  private NvidiaSmi() {}

  /** An answer that cannot be used; the message is a clause about nvidia-smi. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    Unreadable(String clause) {
      super(clause);
    }
  }

  /** The output of nvidia-smi, on both streams, and its exit code. */
  public record Answer(int exitCode, String text) {}

  /** What the answers to both questions say together, wherever they were given. */
  public static GpuSight sight(Answer devices, Answer processes) {
    try {
      if (devices.exitCode() != 0 && !isAnswer(devices.text())) {
        throw failed(devices);
      }
      if (processes.exitCode() != 0 && devices.exitCode() == 0) {
        throw failed(processes);
      }
      return new GpuSight.Seen(read(devices.text(), processes.text()));
    } catch (Unreadable e) {
      return new GpuSight.Failed("nvidia-smi " + e.getMessage());
    }
  }

  private static Unreadable failed(Answer answer) {
    String first = answer.text().lines().filter(line -> !line.isBlank()).findFirst().orElse("");
    return new Unreadable(
        "ended with exit code " + answer.exitCode() + (first.isEmpty() ? "" : ": " + cut(first)));
  }

  /** Puts the answers to both questions together. */
  static List<GpuDevice> read(String devices, String processes) throws Unreadable {
    List<Matcher> present = matched(devices, DEVICE, "device");
    Map<String, List<GpuProcess>> byBus = new HashMap<>();
    for (Matcher process : matched(processes, PROCESS, "process")) {
      byBus
          .computeIfAbsent(bus(process.group(2)), bus -> new ArrayList<>())
          .add(new GpuProcess(Long.parseLong(process.group(1)), program(process.group(3))));
    }
    return present.stream()
        .map(device ->
            new GpuDevice(
                Integer.parseInt(device.group(1)),
                device.group(4),
                device.group(3).matches("\\d{1,12}") ? Long.valueOf(device.group(3)) : null,
                fault(device.group()),
                byBus.getOrDefault(bus(device.group(2)), List.of())))
        .toList();
  }

  /** Reads how much the devices are used. */
  static List<GpuReading> readings(Answer answer) throws Unreadable {
    if (answer.exitCode() != 0 && !isAnswer(answer.text())) {
      throw failed(answer);
    }
    return matched(answer.text(), DEVICE, "device").stream()
        .map(device ->
            new GpuReading(
                Integer.parseInt(device.group(1)),
                device.group(4),
                device.group(2).matches("\\d{1,3}") ? Integer.valueOf(device.group(2)) : null,
                device.group(3).matches("\\d{1,12}") ? Long.valueOf(device.group(3)) : null))
        .toList();
  }

  private static List<Matcher> matched(String text, Pattern form, String what) throws Unreadable {
    List<Matcher> matched = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      Matcher matcher = form.matcher(line);
      if (matcher.matches()) {
        matched.add(matcher);
      } else if (!line.isEmpty() && !COMPLAINT.matcher(line).matches()) {
        throw new Unreadable("printed '" + cut(line) + "' where a " + what + " was expected");
      }
    }
    return matched;
  }

  /** Whether an answer may be read although the exit code is not 0. */
  private static boolean isAnswer(String devices) {
    return devices.lines().anyMatch(line -> DEVICE.matcher(line.strip()).matches())
        || devices.lines().anyMatch(line -> line.startsWith("No devices were found"));
  }

  /** One bus has one name, whatever the case and the length of its domain. */
  private static String bus(String id) {
    return id.toLowerCase(Locale.ROOT).replaceFirst("^0+", "");
  }

  private static String program(String path) {
    return cut(path.substring(path.lastIndexOf('/') + 1));
  }

  private static @Nullable String fault(String line) {
    String lower = line.toLowerCase(Locale.ROOT);
    if (lower.contains("[gpu is lost]")) {
      return "lost";
    }
    if (lower.contains("requires reset]")) {
      return "needs a reset";
    }
    return lower.contains("[unknown error]") ? "does not answer" : null;
  }

  /** Cuts a text that is not ours to a line. */
  static String cut(String text) {
    String clean = text.replaceAll("\\p{Cntrl}", " ").strip();
    return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST) + "…";
  }
}
