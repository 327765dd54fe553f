package io.orrery.gateway;

import io.orrery.core.bus.contract.Shells;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.gateway.ApiSamples.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request for each operation about files of people, and the files that they are about. */
final class WorkspaceSamples {
  static final Map<String, Sample> ALL = new LinkedHashMap<>();

  private static final String FILES = "/api/v1/files/ann";

  static {
    ALL.put("listFilePlaces", new Sample("GET", "/api/v1/file-places/ann", ""));
    ALL.put("listWorkspaceFiles", new Sample("GET", FILES, ""));
    ALL.put(
        "copyToWorkspace", new Sample("POST", FILES, "{\"from\":{\"run\":\"r1\",\"step\":\"a\"}}"));
    ALL.put("readWorkspaceFile", new Sample("GET", FILES + "/notes.txt", ""));
    ALL.put("writeWorkspaceFile", new Sample("PUT", FILES + "/new.txt", "text"));
    ALL.put(
        "moveWorkspaceFile",
        new Sample("POST", FILES + "/from.txt", "{\"to\":\"/mnt/ann/to.txt\"}"));
    ALL.put("deleteWorkspaceFile", new Sample("DELETE", FILES + "/old.txt", ""));
  }

  private WorkspaceSamples() {}

  static void answer(EdgeServer edge) throws Exception {
    edge.answer(
        Shells.PODS, new Shells.InPods(List.of(new WorkloadRef(WorkloadKind.NOTEBOOK, "ann-1"))));
    Path directory = edge.workspaces.made("ann");
    for (String name : new String[] {"notes.txt", "from.txt", "old.txt"}) {
      Files.writeString(directory.resolve(name), "text");
    }
  }
}
