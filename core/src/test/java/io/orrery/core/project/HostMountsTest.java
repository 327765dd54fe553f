package io.orrery.core.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A test of the directories that containers of people may mount. */
class HostMountsTest {
  private static final HostMounts SCRATCH = new HostMounts(List.of("/scratch"));

  private static VolumeMount host(String source) {
    return new VolumeMount(VolumeKind.HOSTPATH, source, "/data");
  }

  @Test
  void aListedDirectoryIsMountedAndNoOther() {
    assertThat(SCRATCH.refusal(host("/scratch"))).isNull();
    assertThat(SCRATCH.refusal(host("/etc")))
        .contains("/etc may not be mounted", "/scratch", "auth.sandboxWrite");
  }

  /** It could be a symbolic link that a person has made. */
  @Test
  void aDirectoryBelowAListedOneIsRefused() {
    assertThat(SCRATCH.refusal(host("/scratch/link"))).isNotNull();
  }

  @Test
  void whereNothingIsListedNothingIsMounted() {
    assertThat(new HostMounts(List.of()).refusal(host("/data"))).contains("no directory of a node");
  }

  @Test
  void otherVolumesAndTrustedPeopleAreNotAsked() {
    assertThat(SCRATCH.refusal(new VolumeMount(VolumeKind.PVC, "claim", "/data"))).isNull();
    assertThat(HostMounts.ANY.refusal(host("/etc"))).isNull();
  }
}
