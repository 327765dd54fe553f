package io.orrery.core.service;

/**
 * A part of the requests that a service gets.
 *
 * @param percent 0 to 100
 */
public record ServiceShare(ServiceName service, int percent) {
  /** The share as documents and commands write it: {@code digits-2:20%}. */
  @Override
  public String toString() {
    return service + ":" + percent + "%";
  }
}
