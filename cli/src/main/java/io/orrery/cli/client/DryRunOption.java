package io.orrery.cli.client;

import picocli.CommandLine.Option;

/** The option {@code --dry-run}: the server checks a change, and does not make it. */
public final class DryRunOption {
  private static final String ONLY = "only checked, nothing is changed";

  @Option(names = "--dry-run", description = "Check only; nothing is changed.")
  private boolean asked;

  /** Whether only a check is wanted. */
  public boolean isAsked() {
    return asked;
  }

  /** The resource at which the server makes the change, or checks it. */
  public Resource at(Resource resource) {
    return resource.with("dryRun", asked ? Boolean.TRUE : null);
  }

  /** A sentence about what there is now; after a check, that this is not new. */
  public String said(String what) {
    return asked ? what + "; " + ONLY : what;
  }

  /** Says that nothing is changed, after a check. */
  public void tell(Session session) {
    if (asked) {
      session.terminal().say(ONLY);
    }
  }
}
