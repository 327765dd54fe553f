package io.orrery.orchestrator.submission;

import io.orrery.core.bus.Address;
import io.orrery.core.trial.AttemptRef;
import io.orrery.orchestrator.platform.Submission;

/** What the owners of experiments ask of their platforms. */
public final class Submissions {
  /**
   * Hands an attempt to its platform.
   *
   * <p>Answers when the platform has taken it; Busy when it has no room now; another problem when
   * it never will.
   */
  public static final Address<Submit, Done> SUBMIT =
      new Address<>("submissions.submit", Submit.class, Done.class);

  /** Ends an attempt on its platform; answers when it is gone. */
  public static final Address<Cancel, Done> CANCEL =
      new Address<>("submissions.cancel", Cancel.class, Done.class);

  /** Takes back an attempt that its platform has not begun to start; answers whether it could. */
  public static final Address<Withdraw, Withdrawn> WITHDRAW =
      new Address<>("submissions.withdraw", Withdraw.class, Withdrawn.class);

  private Submissions() {}

  public record Submit(Submission submission) {}

  public record Cancel(String platform, AttemptRef attempt) {}

  public record Withdraw(String platform, AttemptRef attempt) {}

  /**
   * @param taken whether the attempt is as if it had never been submitted
   */
  public record Withdrawn(boolean taken) {}

  public record Done() {}
}
