package io.orrery.gateway.launch;

import io.orrery.core.config.ConfigKey;
import io.orrery.core.process.SearchPath;
import io.orrery.core.workload.Workspaces;
import io.orrery.gateway.http.Network;
import io.orrery.orchestrator.experiment.directory.CodeFromGit;
import io.orrery.orchestrator.git.GitCheckouts;
import java.util.List;

/** The key for code from Git repositories, and what fetches it. */
final class GitKeys {
  static final ConfigKey<List<Network>> NETWORKS =
      new ConfigKey<>(
          "git.networks",
          List.of(),
          "IP addresses and networks, such as [10.0.0.7, 192.168.0.0/16]",
          "The networks besides the Internet in which Git repositories with code of experiments and"
              + " pipelines and contexts of builds may lie. Without it none: users could reach with"
              + " them what only the server should.",
          ProxyKeys::networks);

  private GitKeys() {}

  /** Fetches code of experiments into the workspaces of people. */
  static CodeFromGit code(Ground ground) {
    return new CodeFromGit(checkouts(ground), Workspaces.in(ground.files()));
  }

  /** Fetches code. */
  static GitCheckouts checkouts(Ground ground) {
    List<Network> networks = ground.config().gitNetworks();
    return new GitCheckouts(
        ground.vertx(),
        Workspaces.in(ground.files()),
        Orchestration.secrets(ground),
        ground.clock(),
        address -> AlertKeys.contain(networks, address),
        SearchPath.of(System.getenv()));
  }
}
