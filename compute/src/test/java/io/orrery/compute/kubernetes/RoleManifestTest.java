package io.orrery.compute.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.adl.AdaptDlKinds;
import io.orrery.compute.frameworkcontroller.FrameworkKinds;
import io.orrery.compute.kubeflow.KubeflowKinds;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The role that we hand out is the least that the code needs. */
class RoleManifestTest {
  static final Path MANIFEST = Path.of("../deploy/kubernetes/rbac.yaml");

  @Test
  void theManifestAllowsExactlyWhatIsChecked() throws Exception {
    List<JobKind> kinds =
        List.of(
            new PlainJob(60),
            KubeflowKinds.tensorFlow(),
            KubeflowKinds.pyTorch(),
            FrameworkKinds.framework(),
            AdaptDlKinds.adaptive());

    Set<String> needed = new TreeSet<>();
    Stream.of(
            kinds.stream().flatMap(kind -> Permission.of(kind).stream()),
            Permission.ofChecks().stream(),
            Permission.ofReplicas().stream(),
            Permission.ofShells().stream(),
            Permission.ofExposure().stream(),
            Permission.ofAutoscaling().stream(),
            Permission.ofUse().stream())
        .flatMap(permissions -> permissions)
        .forEach(permission ->
            permission
                .verbs()
                .forEach(verb ->
                    needed.add(
                        Rules.line(verb, permission.type().group(), permission.type().plural()))));

    assertThat(Rules.of(MANIFEST).allowed()).isEqualTo(needed);
  }
}
