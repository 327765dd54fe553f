/** NNI's clients, commands, trials and algorithms, as its users have them. */
package io.orrery.journeys.nni;
