package io.orrery.cli.server;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flags of {@code orrery up}; null where no flag was given, so that environment and file may
 * decide.
 *
 * @param port 0 for any that is free
 * @param routerPort 0 for any that is free, {@link #ROUTER_OFF} for no router
 * @param home where the server keeps its files; absolute
 * @param config absolute
 * @param roles which parts of the server this process runs; empty for all
 * @param resume whether the experiments that were RUNNING go on
 * @param parentPid the server ends when this process is gone
 */
public record UpOptions(
    @Nullable String host,
    @Nullable Integer port,
    @Nullable Integer routerPort,
    Path home,
    @Nullable Path config,
    List<String> roles,
    boolean resume,
    @Nullable Long parentPid) {
  /** The router port that stands for no router. */
  public static final int ROUTER_OFF = -1;

  public UpOptions {
    roles = List.copyOf(roles);
  }
}
