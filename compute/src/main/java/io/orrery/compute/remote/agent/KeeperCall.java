package io.orrery.compute.remote.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call of a keeper, as its agent carries it.
 *
 * @param target the path and the query, visible ASCII
 * @param token that it shows; null when it shows none
 * @param type of the body; null when it names none
 */
public record KeeperCall(
    HttpMethod method, String target, @Nullable String token, @Nullable String type, Buffer body) {
  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT");
  private static final Pattern TARGET = Pattern.compile("/[!-~]{0,8000}");
  private static final Pattern TOKEN = Pattern.compile("[!-~]{1,2000}");
  private static final Pattern TYPE = Pattern.compile("[0-9A-Za-z/+.;=_ -]{1,200}");

  /**
   * The call that a frame carries; null when it is none that could be passed on as it stands. Who
   * is on the machine says what is in it: nothing of it may become two lines of a head.
   */
  static @Nullable KeeperCall of(Headed said) {
    ObjectNode head = said.head();
    String method = head.path("method").asText();
    String target = head.path("path").asText();
    String token = head.hasNonNull("token") ? head.get("token").asText() : null;
    String type = head.hasNonNull("type") ? head.get("type").asText() : null;
    boolean sound =
        METHODS.contains(method)
            && TARGET.matcher(target).matches()
            && (token == null || TOKEN.matcher(token).matches())
            && (type == null || TYPE.matcher(type).matches());
    return sound
        ? new KeeperCall(
            HttpMethod.valueOf(method), target, token, type, Buffer.buffer(said.body()))
        : null;
  }

  /** The path alone. */
  public String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }
}
