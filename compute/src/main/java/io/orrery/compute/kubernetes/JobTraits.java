package io.orrery.compute.kubernetes;

import java.util.List;

/**
 * The traits of the job of an attempt, which do not change.
 *
 * @param name of the job
 * @param role that speaks for the attempt
 * @param pods that all roles have together
 * @param restarts whether its controller may move its pods while the attempt goes on
 * @param keep seconds that it stays in the cluster after its end
 * @param server the address of the cluster, in words for the user
 * @param notices that are told when it starts
 */
record JobTraits(
    String name,
    String role,
    int pods,
    boolean restarts,
    long keep,
    String server,
    List<String> notices) {
  JobTraits {
    notices = List.copyOf(notices);
  }

  static JobTraits of(String name, Blueprint blueprint, String server) {
    return new JobTraits(
        name,
        blueprint.roles().getFirst().name(),
        blueprint.roles().stream().mapToInt(Role::pods).sum(),
        blueprint.kind().restarts(),
        blueprint.kind().keep(),
        server,
        blueprint.notices());
  }
}
