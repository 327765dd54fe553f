package io.orrery.compute.runtime.replica;

import io.orrery.core.workload.ReplicaRef;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/**
 * Makes the variables {@code K8S_*} of a program of this machine. In a pod the cluster says them;
 * here the machine is the node and the replica the pod, so that programs find what they read.
 */
public final class MachineVariables {
  private static final String HERE = "127.0.0.1";
  private static final String NODE = node();

  private MachineVariables() {}

  /** The five variables of a replica. */
  public static Map<String, String> of(ReplicaRef replica) {
    return Map.of(
        "K8S_NODE_NAME", NODE,
        "K8S_POD_NAMESPACE", replica.workload().kind().word(),
        "K8S_POD_NAME", replica.toString().replace('/', '-'),
        "K8S_POD_IP", HERE,
        "K8S_HOST_IP", HERE);
  }

  private static String node() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
