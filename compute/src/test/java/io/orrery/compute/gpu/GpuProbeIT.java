package io.orrery.compute.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuDevice.GpuProcess;
import io.orrery.compute.gpu.GpuSight.Absent;
import io.orrery.compute.gpu.GpuSight.Failed;
import io.orrery.compute.gpu.GpuSight.Seen;
import io.orrery.compute.service.Eventually;
import io.orrery.core.process.SearchPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuProbeIT {
  @TempDir private Path directory;
  private StandInSmi smi;
  private GpuProbe probe;

  @BeforeEach
  void install() throws Exception {
    smi = new StandInSmi(directory.resolve("bin"));
    probe = new GpuProbe(new SearchPath(smi.path()), GpuProbe.LIMIT);
  }

  @Test
  void devicesAndTheProcessesOnThemAreSeen() throws Exception {
    smi.processes(
        """
        4711, 00000000:0F:00.0, /usr/bin/python3, with a comma
        4712, 00000000:0f:00.0, [Not Found]
        """);

    List<GpuDevice> devices = seen();

    assertThat(devices).hasSize(4);
    assertThat(devices.get(0))
        .isEqualTo(new GpuDevice(0, "NVIDIA A100-SXM4-40GB", 40_960L, null, List.of()));
    assertThat(devices.get(1).processes())
        .containsExactly(
            new GpuProcess(4711, "python3, with a comma"), new GpuProcess(4712, "[Not Found]"));
  }

  @Test
  void aLostDeviceIsSeenBesideTheOthers() throws Exception {
    smi.devices(
        """
        0, 00000000:07:00.0, 40960, NVIDIA A100-SXM4-40GB
        1, 00000000:0F:00.0, [GPU is lost], [GPU is lost]
        2, 00000000:47:00.0, [N/A], NVIDIA GH200
        3, 00000000:4E:00.0, [GPU requires reset], NVIDIA A100-SXM4-40GB
        """);
    smi.script(
        "#!/bin/sh\ncase $1 in --query-gpu*) cat \"$(dirname \"$0\")/devices\";; esac\n"
            + "echo 'Unable to determine the device handle for GPU0000:0F:00.0: Unknown Error'\n"
            + "exit 15\n");

    assertThat(seen())
        .extracting(GpuDevice::fault)
        .containsExactly(null, "lost", null, "needs a reset");
    assertThat(seen().get(2).memory()).isNull();
  }

  @Test
  void aMachineWithoutDevicesHasNone() throws Exception {
    smi.script("#!/bin/sh\necho 'No devices were found'; exit 6\n");

    assertThat(seen()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."; exit 9 | nvidia-smi ended with exit code 9: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.
          exit 12                | nvidia-smi ended with exit code 12
          echo 'Segmentation'    | nvidia-smi printed 'Segmentation' where a device was expected
          printf 'a\\033[1mb\\n' | nvidia-smi printed 'a [1mb' where a device was expected
          kill -SEGV $$          | nvidia-smi ended with exit code 139
          yes                    | nvidia-smi printed without end
          """)
  void whatCannotBeReadIsAFailure(String script, String why) throws Exception {
    smi.script("#!/bin/sh\n" + script + "\n");

    assertThat(probe.look()).isEqualTo(new Failed(why));
  }

  @Test
  void aProbeThatHangsIsEndedWithWhatItStarted() throws Exception {
    probe = new GpuProbe(new SearchPath(smi.path()), Duration.ofMillis(300));
    Path pids = directory.resolve("pids");
    smi.script("#!/bin/sh\nsleep 300 &\necho $! $$ >'" + pids + "'\nwait\n");

    assertThat(probe.look()).isEqualTo(new Failed("nvidia-smi did not answer within 0.3 s"));

    for (String pid : Files.readString(pids).strip().split(" ")) {
      Eventually.until(
          "the end of " + pid,
          () ->
              ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).isEmpty()
                  || !ProcessHandle.of(Long.parseLong(pid)).get().isAlive());
    }
    smi.recover();
    probe = new GpuProbe(new SearchPath(smi.path()), GpuProbe.LIMIT);
    assertThat(seen()).hasSize(4);
  }

  @Test
  void whatIsNotThereIsAbsentUntilItIsInstalled() throws Exception {
    Path later = directory.resolve("later");
    probe = new GpuProbe(new SearchPath(later + "::/nowhere"), GpuProbe.LIMIT);
    assertThat(probe.look()).isEqualTo(new Absent());

    new StandInSmi(later);

    assertThat(seen()).hasSize(4);
  }

  @Test
  void whoIsInterruptedLeavesNoProbeBehind() throws Exception {
    Path pid = directory.resolve("pid");
    smi.script("#!/bin/sh\necho $$ >'" + pid + "'\nexec sleep 300\n");
    Thread thread = Thread.ofVirtual().start(probe::look);
    Eventually.until("it hangs", () -> Files.exists(pid) && !Files.readString(pid).isEmpty());

    thread.interrupt();

    assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    long number = Long.parseLong(Files.readString(pid).strip());
    Eventually.until(
        "its end", () -> ProcessHandle.of(number).filter(ProcessHandle::isAlive).isEmpty());
  }

  private List<GpuDevice> seen() {
    return assertThat(probe.look())
        .asInstanceOf(InstanceOfAssertFactories.type(Seen.class))
        .actual()
        .devices();
  }
}
