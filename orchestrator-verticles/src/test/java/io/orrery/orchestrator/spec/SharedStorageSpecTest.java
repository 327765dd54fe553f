package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.SharedStorageSpec.Blob;
import io.orrery.core.experiment.SharedStorageSpec.Nfs;
import io.orrery.core.problem.Finding;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Reads {@code sharedStorage} as NNI writes it, and refuses what is contradictory. */
class SharedStorageSpecTest extends SpecFixture {
  private static final String NFS =
      """
      sharedStorage:
        storageType: NFS
        localMountPoint: /mnt/here
        remoteMountPoint: /mnt/there
        localMounted: usermount
        nfsServer: nfs.example.com
        exportedDirectory: /export
      """;

  private static final String BLOB =
      """
      sharedStorage:
        storageType: AzureBlob
        localMountPoint: /mnt/here
        localMounted: nnimount
        storageAccountName: trialstore
        storageAccountKey: c2VjcmV0
        containerName: trial-outputs
      """;

  private static String remote(String storage) {
    return with(
            "platform: local",
            "platform: remote\n  machineList: [{host: gpu1, user: me, password: env:X}]")
        + storage;
  }

  @Override
  SpecReading read(String text) {
    return new SpecReader(
            List.of("local", "remote"), Map.of(), () -> SEED, secret -> "sealed:" + secret.length())
        .read(text, directory.toString());
  }

  @Test
  void aMountedDirectoryIsUnderstood() {
    assertThat(spec(remote(NFS)).job().sharedStorage())
        .isEqualTo(new Nfs("/mnt/here", "/mnt/there", false, "nfs.example.com", "/export"));
    assertThat(spec(remote(NFS.replace("usermount", "nnimount"))).job().sharedStorage())
        .isEqualTo(new Nfs("/mnt/here", "/mnt/there", true, "nfs.example.com", "/export"));
  }

  @Test
  void aContainerIsUnderstoodAndItsKeyIsSealed() {
    ExperimentSpec spec = spec(remote(BLOB));

    assertThat(spec.job().sharedStorage())
        .isEqualTo(new Blob("trialstore", "sealed:8", "trial-outputs"));
    assertThat(spec.description().config()).doesNotContain("c2VjcmV0");
    assertThat(String.valueOf(spec.job().sharedStorage())).doesNotContain("sealed");
  }

  @Test
  void aContainerMayHaveAMountPointWithoutEffect() {
    // D5
    SpecReading reading = read(remote(BLOB + "  remoteMountPoint: /mnt/there\n"));

    assertThat(reading.findings()).isEmpty();
    assertThat(reading.notices())
        .anyMatch(notice -> notice.contains("remoteMountPoint has no effect"));
  }

  @Test
  void whatIsMissingOrOfTheOtherKindIsRefused() {
    assertThat(fault(remote(NFS.replace("  remoteMountPoint: /mnt/there\n", ""))).pointer())
        .isEqualTo("/sharedStorage/remoteMountPoint");
    assertThat(fault(remote(BLOB.replace("  containerName: trial-outputs\n", ""))).pointer())
        .isEqualTo("/sharedStorage/containerName");
    assertThat(fault(remote(BLOB + "  nfsServer: nfs.example.com\n")).message())
        .contains("does not belong to AzureBlob");
    assertThat(fault(remote(NFS + "  containerName: outputs\n")).message())
        .contains("does not belong to NFS");
    assertThat(fault(remote(BLOB.replace("trial-outputs", "Trial_Outputs"))).message())
        .contains("lower-case letters");
  }

  @Test
  void theServerMountsNothingElsewhereAndNeedsTheStorageItself() {
    Finding relative = fault(remote(NFS.replace("/mnt/there", "there")));
    assertThat(relative.message()).contains("must be absolute");
    assertThat(fault(remote(NFS.replace("usermount", "nomount"))).message())
        .contains("must be usermount or nnimount");
    assertThat(
            fault(
                    remote(
                        NFS.replace("usermount", "nnimount")
                            .replace("  exportedDirectory: /export\n", "")))
                .pointer())
        .isEqualTo("/sharedStorage/exportedDirectory");
  }

  @Test
  void aServerIsNoOptionOfMount() {
    assertThat(fault(remote(NFS.replace("nfs.example.com", "-oexec"))).pointer())
        .isEqualTo("/sharedStorage/nfsServer");
    assertThat(fault(remote(NFS.replace(": /export", ": export"))).pointer())
        .isEqualTo("/sharedStorage/exportedDirectory");
  }

  @Test
  void trialsBesideTheServerShareNothing() {
    SpecReading reading = read(GOOD + NFS);

    assertThat(Objects.requireNonNull(reading.spec()).job().sharedStorage()).isNull();
    assertThat(reading.notices()).anyMatch(notice -> notice.contains("sharedStorage does nothing"));
  }
}
