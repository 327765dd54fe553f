package io.orrery.orchestrator.submission;

import io.orrery.compute.service.Submission;
import io.orrery.core.bus.Address;
import io.orrery.core.experiment.Share;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Problem;
import java.util.function.BooleanSupplier;

/** The requests of the owners of experiments to their platforms, and the answers. */
public final class Submissions {
  /**
   * Gives an attempt in charge, to be handed to its platform when that has room. An order: what
   * becomes of it the platform's events say, or {@link #RETURNED}, or {@link #REFUSED}. Who repeats
   * a submission finds the first.
   */
  public static final Address<Submit, Done> SUBMIT =
      new Address<>("submissions.submit", Submit.class, Done.class);

  /** Tells the owner of an experiment that an attempt was not taken in charge. */
  public static final Address<Returned, Done> RETURNED =
      new Address<>("submissions.returned", Returned.class, Done.class);

  /** Tells the owner of an experiment that a platform will never start an attempt. */
  public static final Address<Refused, Done> REFUSED =
      new Address<>("submissions.refused", Refused.class, Done.class);

  /** Ends an attempt on its platform; answers when it is gone. */
  public static final Address<Cancel, Done> CANCEL =
      new Address<>("submissions.cancel", Cancel.class, Done.class);

  /** Takes back an attempt that its platform has not begun to start; answers whether it could. */
  public static final Address<Withdraw, Withdrawn> WITHDRAW =
      new Address<>("submissions.withdraw", Withdraw.class, Withdrawn.class);

  private Submissions() {}

  /**
   * A request to submit an attempt.
   *
   * @param share what its owner gets where several want more than there is
   * @param allowed asked when the attempt's turn has come: one that may not be started by this
   *     server any more is dropped, and its experiment is not told
   */
  public record Submit(Submission submission, Share share, BooleanSupplier allowed) {}

  /**
   * An attempt that is given back to its experiment.
   *
   * @param why Busy when too many wait already
   */
  public record Returned(Submission submission, Problem why) {}

  /**
   * An attempt that its platform refuses.
   *
   * @param reason for people
   * @param toAll whether the platform would say the same to every trial of the experiment
   */
  public record Refused(AttemptRef attempt, String reason, boolean toAll) {}

  public record Cancel(String platform, AttemptRef attempt) {}

  public record Withdraw(String platform, AttemptRef attempt) {}

  /**
   * The answer to a withdrawal.
   *
   * @param taken whether the attempt is as if it had never been submitted
   */
  public record Withdrawn(boolean taken) {}

  public record Done() {}
}
