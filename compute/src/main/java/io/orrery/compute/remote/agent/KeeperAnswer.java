package io.orrery.compute.remote.agent;

import io.vertx.core.buffer.Buffer;

/**
 * The answer to a {@link KeeperCall}.
 *
 * @param status of HTTP
 */
public record KeeperAnswer(int status, Buffer body) {
  private static final int BAD_REQUEST = 400;
  private static final int ELSEWHERE = 421;
  private static final int NOT_NOW = 503;

  /** Says that what was said is no call. */
  static KeeperAnswer noCall() {
    return new KeeperAnswer(BAD_REQUEST, Buffer.buffer());
  }

  /** Sends the keeper to the forwarded port: the answer is too long for a frame. */
  static KeeperAnswer byPort() {
    return new KeeperAnswer(ELSEWHERE, Buffer.buffer());
  }

  /** Lets the keeper try again later. */
  public static KeeperAnswer notNow() {
    return new KeeperAnswer(NOT_NOW, Buffer.buffer());
  }
}
