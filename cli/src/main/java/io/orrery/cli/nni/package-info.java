/**
 * {@code nnictl}: NNI's verbs and flags, for scripts and habits that know them. Each is a call or
 * two of the same API as {@code orrery} uses; what scripts of NNI's users take apart (JSON of
 * trials, the id of a new experiment) is printed in NNI's form, on stdout.
 *
 * <p>{@link io.orrery.cli.nni.Nnictl} lists them. Facts: NNI's reference of nnictl, 1.9 to 3.0.
 */
@NullMarked
package io.orrery.cli.nni;

import org.jspecify.annotations.NullMarked;
