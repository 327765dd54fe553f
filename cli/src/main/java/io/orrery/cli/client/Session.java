package io.orrery.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.cli.print.OutputFile;
import io.orrery.cli.print.Terminal;
import io.orrery.core.problem.FileFault;
import io.orrery.core.tls.ExtraAuthorities;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * A run of the program: where it runs, what the options of every command said, and the server that
 * they lead to. Nothing is looked up or connected before it is asked for.
 */
public final class Session {
  private final Terminal terminal;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print one JSON document instead of text.")
  private boolean json;

  @Option(
      names = "--server",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      description = "The server. Default: $ORRERY_URL, else the one that runs in $ORRERY_HOME.")
  private @Nullable String server;

  @Option(
      names = "--token",
      scope = ScopeType.INHERIT,
      paramLabel = "T",
      description = "The token for it. Default: $ORRERY_TOKEN, else that of the server here.")
  private @Nullable String token;

  private @Nullable Api api;

  public Session(Terminal terminal) {
    this.terminal = terminal;
  }

  public Terminal terminal() {
    return terminal;
  }

  /** Whether stdout is for one JSON document. */
  public boolean json() {
    return json;
  }

  /** Prints a body as it comes; {@code what} it is, for the failure. */
  public void copy(Resource resource, String what) {
    try {
      api().copy(resource, terminal.out());
    } catch (IOException e) {
      throw CommandFailure.failed(what + " broke off: " + FileFault.words(e));
    }
  }

  /** Writes a body into a file, which is named from the terminal's directory. */
  public void save(Resource resource, Path file) {
    try {
      OutputFile.write(terminal.directory().resolve(file), out -> api().copy(resource, out));
    } catch (IOException e) {
      throw CommandFailure.failed("could not write " + file + ": " + FileFault.words(e));
    }
  }

  /** The API of the server that the options lead to. */
  public Api api() {
    if (api == null) {
      api = connected(ServerAddress.find(server, token, terminal));
    }
    return api;
  }

  private Api connected(ServerAddress address) {
    if (address.secure()) {
      String fault = ExtraAuthorities.trust(terminal.environment());
      if (fault != null) {
        terminal.say(fault);
      }
    }
    return new Api(address);
  }

  /** A server by its URL, with the token that the options or the home have for it. */
  public ServerAddress address(String url) {
    return ServerAddress.find(url, token, terminal);
  }

  /** Looks for the server again: another one may have taken its place. */
  public Api found() {
    api = null;
    return api();
  }

  /** The API at an address that is known already. */
  public Api at(ServerAddress address) {
    api = connected(address);
    return api;
  }

  /** Prints the one JSON document. */
  public void print(JsonNode document) {
    terminal.out().println(document);
  }

  /** Prints a whole list in the shape of the API. */
  public void print(List<JsonNode> items) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    ArrayNode array = document.putArray("items");
    items.forEach(array::add);
    print(document.putNull("next"));
  }
}
