/**
 * MLflow's REST API 2.0, so that its clients log to this server unchanged: experiments and runs,
 * artifacts through the server, and its model registry, which is the one of this server.
 */
@NullMarked
package io.orrery.gateway.mlflow;

import org.jspecify.annotations.NullMarked;
