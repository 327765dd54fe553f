package io.orrery.compute.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.compute.command.TrialCommand;
import io.orrery.compute.remote.Connection.Program;
import io.orrery.compute.remote.Connection.Said;
import io.orrery.compute.remote.agent.AgentLink;
import io.orrery.compute.remote.agent.KeeperCalls;
import io.orrery.compute.remote.agent.OrderOutcome;
import io.orrery.core.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of this server on a machine, as long as a connection stands: one process there that
 * does what scripts do as well. It is started when it is first asked for, and again when it is
 * gone. A machine where none can be started, and one whose agent has just gone, is served by
 * scripts: no attempt waits for an agent. Thread safe; blocks.
 */
final class MachineAgent {
  private static final Logger LOG = LoggerFactory.getLogger(MachineAgent.class);

  /** A start of Python, twice, on a machine that has much to do. */
  private static final Duration BEGINNING = Duration.ofSeconds(10);

  private final Login login;
  private final Connection connection;
  private final String command;
  private final KeeperCalls calls;
  private final Clock clock;
  private final Duration aside;
  private @Nullable AgentLink link;
  private Instant notBefore = Instant.EPOCH;

  /**
   * @param keeper the path of the keeper there, which is the agent's program as well
   * @param socket the path there where keepers are to find it
   * @param aside how long a machine is served by scripts that has no agent
   */
  MachineAgent(
      Login login,
      Connection connection,
      MachineFacts facts,
      String keeper,
      String socket,
      KeeperCalls calls,
      Clock clock,
      Duration aside) {
    this.login = login;
    this.connection = connection;
    this.command =
        "exec %s %s agent %s %s"
            .formatted(
                TrialCommand.quoted(facts.python()),
                TrialCommand.quoted(keeper),
                TrialCommand.quoted(facts.base()),
                TrialCommand.quoted(socket));
    this.calls = calls;
    this.clock = clock;
    this.aside = aside;
  }

  /** Starts it, where that is possible. */
  void begin() throws InterruptedException {
    AgentLink _ = link();
  }

  /** The path of its socket there, which keepers call; null when there is none. */
  @Nullable String socket() throws InterruptedException {
    AgentLink open = link();
    return open == null ? null : open.socket();
  }

  /**
   * Has it do something.
   *
   * @return what has come of it; null when it is for a script to do: it may have been done, so it
   *     must be something that may be done twice
   */
  @Nullable Said ask(ObjectNode order, Duration limit) throws InterruptedException {
    AgentLink open = link();
    if (open == null) {
      return null;
    }
    try {
      OrderOutcome outcome = open.ask(order, limit);
      connection.heard();
      if (!outcome.isUnable()) {
        return new Said(outcome.code(), outcome.out(), outcome.err());
      }
      LOG.info(
          "could not have the agent on {} do {}: {}",
          login.name(),
          order.path("do").asText(),
          outcome.err());
    } catch (IOException e) {
      if (connection.isOpen()) {
        LOG.warn("could not ask the agent on machine {}: {}", login.name(), e.getMessage());
      }
    }
    return null;
  }

  /** The link to the agent that runs, or can be started now; null for none. */
  private synchronized @Nullable AgentLink link() throws InterruptedException {
    AgentLink known = link;
    if (known != null && known.isOpen()) {
      return known;
    }
    if (!connection.isOpen() || clock.now().isBefore(notBefore)) {
      return null;
    }
    link = null;
    // Also after one that begins: it may be one that ends at once.
    notBefore = clock.now().plus(aside);
    Program program = null;
    try {
      program = connection.start(command);
      AgentLink fresh =
          AgentLink.open(program.out(), program.in(), calls, program, login.name(), BEGINNING);
      link = fresh;
      notBefore = clock.now().plus(aside.dividedBy(10));
      return fresh;
    } catch (IOException e) {
      String said = program == null ? "" : program.complaint();
      LOG.info(
          "could not start an agent on machine {}, trials there are started by scripts: {}",
          login.name(),
          said.isEmpty() ? e.getMessage() : said);
      return null;
    }
  }
}
