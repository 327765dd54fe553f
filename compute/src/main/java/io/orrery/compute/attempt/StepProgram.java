package io.orrery.compute.attempt;

import io.orrery.compute.command.TrialCommand;

/**
 * Makes the command of the keeper of a step: the step's own command between its inputs, which came
 * with its code, and its outputs, which are packed into one file. Pure.
 */
public final class StepProgram {
  /** The status when the outputs of a step that has ended well cannot be packed. */
  private static final int NOT_PACKED = 74;

  /** A second link to a file is packed as a file. */
  private static final String PACK =
      """
      import os, sys, tarfile
      class Never(dict):
          def __contains__(self, key):
              return False
      def known(member):
          return member if member.isreg() or member.isdir() or member.issym() else None
      with tarfile.open(sys.argv[2], 'w', format=tarfile.PAX_FORMAT) as tar:
          tar.inodes = Never()
          for name in sorted(os.listdir(sys.argv[1])):
              tar.add(os.path.join(sys.argv[1], name), name, filter=known)
      """;

  private static final String BEGIN =
      """
      export ORRERY_INPUTS="$NNI_CODE_DIR/inputs" ORRERY_OUTPUTS="$NNI_CODE_DIR/outputs"
      mkdir -p "$ORRERY_INPUTS" "$ORRERY_OUTPUTS" && cd "$NNI_CODE_DIR/work" || exit 70
      """;

  private StepProgram() {}

  /** The command of a keeper whose outputs are not those of the step. */
  public static String helping(String command) {
    return BEGIN + "exec \"${BASH:-/bin/sh}\" -c " + TrialCommand.quoted(command) + "\n";
  }

  /** The command of the keeper. */
  public static String of(String command) {
    return BEGIN
        + """
        "${BASH:-/bin/sh}" -c %s
        status=$?
        [ "$status" -eq 0 ] || exit "$status"
        python3 -I -c %s "$ORRERY_OUTPUTS" "$NNI_OUTPUT_DIR/%s" || exit %d
        """
            .formatted(
                TrialCommand.quoted(command),
                TrialCommand.quoted(PACK),
                DeliveredOutputs.FILE,
                NOT_PACKED);
  }
}
