package io.orrery.compute.frameworkcontroller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.kubernetes.Role;
import io.orrery.core.json.Json;
import io.orrery.kubernetes.PodSecurity;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * FrameworkController's barrier: an init container that waits until all pods of a Framework have
 * addresses, and leaves them as variables for the command. It reads the Framework with the pod's
 * service account.
 */
final class Barrier {
  private static final String IMAGE = "frameworkcontroller/frameworkbarrier";
  private static final String NAME = "frameworkbarrier";
  private static final String VOLUME = "frameworkbarrier-volume";
  private static final String PLACE = "/mnt/frameworkbarrier";
  private static final int FIRST_PORT = 4_000;

  private Barrier() {}

  /** What it adds to every pod, by strategic merge. */
  static ObjectNode pod() {
    ObjectNode template = Json.MAPPER.createObjectNode();
    ObjectNode spec = template.putObject("spec");
    spec.putArray("volumes").addObject().put("name", VOLUME).putObject("emptyDir");
    ObjectNode barrier = spec.putArray("initContainers").addObject();
    barrier.put("name", NAME).put("image", IMAGE);
    PodSecurity.restrict(barrier);
    mount(barrier);
    mount(spec.putArray("containers").addObject().put("name", Framework.CONTAINER));
    return template;
  }

  private static void mount(ObjectNode container) {
    container.putArray("volumeMounts").addObject().put("name", VOLUME).put("mountPath", PLACE);
  }

  /**
   * The roles with commands that know the addresses of all: {@code FB_<ROLE>_PORT} and {@code
   * FB_<ROLE>_IPS}, as NNI's have them.
   */
  static List<Role> behind(List<Role> roles) {
    String ports =
        IntStream.range(0, roles.size())
            .mapToObj(i ->
                "FB_" + roles.get(i).name().toUpperCase(Locale.ROOT) + "_PORT=" + (FIRST_PORT + i))
            .collect(Collectors.joining(" "));
    String before =
        "export " + ports + "; [ ! -f " + PLACE + "/injector.sh ] || . " + PLACE + "/injector.sh\n";
    return roles.stream().map(role -> role.running(before + role.command())).toList();
  }
}
