package io.orrery.core.bus.contract;

import io.orrery.core.bus.Address;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns.Command;
import io.orrery.core.bus.contract.PipelineRuns.Create;
import io.orrery.core.bus.contract.PipelineRuns.Decide;
import io.orrery.core.bus.contract.PipelineRuns.RunView;

/**
 * The checks of requests to runs, which their owner answers: each fails as the request itself
 * would, and changes nothing.
 */
public final class RunChecks {
  /** Checks {@link PipelineRuns#CREATE}; code in Git repositories is not looked at. */
  public static final Address<Create, Done> CREATE =
      new Address<>("runs.checkCreate", Create.class, Done.class);

  /** Checks {@link PipelineRuns#COMMAND}; answers with the run as it is. */
  public static final Address<Command, RunView> COMMAND =
      new Address<>("runs.checkCommand", Command.class, RunView.class);

  /** Checks {@link PipelineRuns#DECIDE}; answers with the run as it is. */
  public static final Address<Decide, RunView> DECIDE =
      new Address<>("runs.checkDecide", Decide.class, RunView.class);

  private RunChecks() {}
}
