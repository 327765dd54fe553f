package io.orrery.compute.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A login at a registry with the password itself, which is kept in memory alone.
 *
 * @param host of the registry, with its port when it has one
 */
public record ImageLogin(String host, String user, String password) {
  private static final String DOCKER_HUB = "https://index.docker.io/v1/";

  /** The value of the header {@code X-Registry-Auth} of Docker's API. */
  public String header() {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("username", user)
            .put("password", password)
            .put("serveraddress", host);
    return Base64.getUrlEncoder().encodeToString(Json.write(json).getBytes(StandardCharsets.UTF_8));
  }

  /** The content of a file {@code config.json} of Docker, which {@code .dockerconfigjson} is. */
  public String dockerConfig() {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.putObject("auths")
        .putObject(host.equals("docker.io") ? DOCKER_HUB : host)
        .put(
            "auth",
            Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    return Json.write(json);
  }

  /** The same without the password. */
  @Override
  public String toString() {
    return "ImageLogin[" + user + " at " + host + "]";
  }
}
