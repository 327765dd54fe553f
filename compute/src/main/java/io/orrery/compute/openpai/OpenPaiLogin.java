package io.orrery.compute.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compute.batch.Refusal;
import io.orrery.compute.batch.Rest;
import io.orrery.compute.batch.Rest.Answer;
import io.orrery.compute.batch.Rest.Request;
import io.orrery.compute.secret.SecretBox;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests in an account's name: with its token, or with one that its password is good for,
 * asked for again when it has run out.
 */
final class OpenPaiLogin {
  private static final String TOKEN = OpenPaiSettings.AT + "/token";
  private static final String PASSWORD = OpenPaiSettings.AT + "/password";
  private static final int LASTING = 86_400;

  private final OpenPaiSettings.Account account;
  private final SecretBox secrets;
  private final Map<OpenPaiSettings.Account, String> tokens;

  /**
   * @param tokens that passwords were good for, shared by all
   */
  private OpenPaiLogin(
      OpenPaiSettings.Account account,
      SecretBox secrets,
      Map<OpenPaiSettings.Account, String> tokens) {
    this.account = account;
    this.secrets = secrets;
    this.tokens = tokens;
  }

  /** The logins of one server. */
  static final class Logins {
    private final SecretBox secrets;
    private final Map<OpenPaiSettings.Account, String> tokens = new ConcurrentHashMap<>();

    Logins(SecretBox secrets) {
      this.secrets = secrets;
    }

    OpenPaiLogin of(OpenPaiSettings.Account account) {
      return new OpenPaiLogin(account, secrets, tokens);
    }
  }

  /**
   * @param wanted what is to be done, for the message when it fails
   * @throws io.orrery.core.problem.ProblemException when it was refused
   */
  Answer send(Rest rest, Request request, String wanted) {
    String token = token(rest);
    Answer answer = rest.send(request.with("Authorization", "Bearer " + token));
    if (answer.status() == 401 && account.password() != null) {
      tokens.remove(account, token);
      token = token(rest);
      answer = rest.send(request.with("Authorization", "Bearer " + token));
    }
    if (!answer.isGood()) {
      throw refusal(token).of(answer, wanted);
    }
    return answer;
  }

  /** What a secret of the user's document stands for. */
  String open(String stored, String name) {
    return secrets.open(stored, OpenPaiSettings.AT + "/openpaiConfig/secrets/" + name);
  }

  Refusal refusal() {
    return refusal(null);
  }

  private Refusal refusal(@Nullable String secret) {
    return new Refusal(
        account.service(),
        OpenPaiSettings.AT + "/host",
        secret == null ? List.of() : List.of(secret));
  }

  private String token(Rest rest) {
    String stored = account.token();
    if (stored != null) {
      return secrets.open(stored, TOKEN);
    }
    String known = tokens.get(account);
    if (known != null) {
      return known;
    }
    String password = secrets.open(String.valueOf(account.password()), PASSWORD);
    String wanted = "log in " + account.user();
    Answer answer =
        rest.send(
            Request.of("POST", account.url() + "/rest-server/api/v1/token")
                .with(
                    "application/json",
                    Map.of(
                        "username", account.user(), "password", password, "expiration", LASTING)));
    if (!answer.isGood()) {
      throw refusal(password).ofLogin(answer, wanted);
    }
    JsonNode token = answer.json().path("token");
    if (!token.isTextual()) {
      throw refusal(password).strange(wanted, "no token");
    }
    tokens.put(account, token.textValue());
    return token.textValue();
  }
}
