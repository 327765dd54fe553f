package io.orrery.compute.remote;

import io.orrery.compute.remote.Connection.Said;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first steps of a server on a machine: makes room, inspects the machine, brings the keeper,
 * and forwards a port of the machine to itself, which it notes there.
 */
final class Arrival {
  private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);
  private static final int PORT_TRIES = 3;

  private final Login login;
  private final Machine.Collaborators collaborators;

  Arrival(Login login, Machine.Collaborators collaborators) {
    this.login = login;
    this.collaborators = collaborators;
  }

  /**
   * Takes these steps on a machine.
   *
   * @throws MachineAway when the machine cannot run trials
   */
  ConnectedMachine at(Connection connection) throws MachineAway, InterruptedException {
    String digest = collaborators.keeper().digest();
    Said said =
        connection.run(
            Script.ARRIVE.with(
                Map.of(
                    "group",
                    collaborators.files().group(),
                    "server",
                    collaborators.files().server(),
                    "python_path",
                    login.pythonPath() == null ? "" : login.pythonPath(),
                    "login",
                    login.key(),
                    "digest",
                    digest)),
            collaborators.patience().command());
    if (said.exitCode() != 0) {
      throw MachineAway.passing("has no room for trials: " + said.complaint());
    }
    MachineFacts facts = MachineFacts.of(said.out(), collaborators.clock().now());
    String obstacle = facts.obstacle();
    if (obstacle != null) {
      throw MachineAway.lasting(obstacle);
    }
    if (!facts.keeper().equals(digest)) {
      Map<String, String> where =
          Map.of("base", facts.base(), "python", facts.python(), "digest", digest);
      Said put =
          connection.run(
              Script.KEEPER.with(
                  where, Map.of("@PROGRAM@", collaborators.keeper().base64().strip())),
              collaborators.patience().transfer());
      if (put.exitCode() != 0) {
        throw MachineAway.passing("does not take the keeper: " + put.complaint());
      }
    }
    String keeper = facts.base() + "/keeper-" + digest;
    ConnectedMachine site =
        new ConnectedMachine(
            connection,
            facts,
            "http://127.0.0.1:" + forward(connection),
            keeper,
            agent(connection, facts, keeper));
    announce(site);
    // Before the first attempt, which then does not wait for it.
    site.agent().begin();
    return site;
  }

  private MachineAgent agent(Connection connection, MachineFacts facts, String keeper) {
    return new MachineAgent(
        login,
        connection,
        facts,
        keeper,
        facts.agents() + "/" + collaborators.files().server() + "-" + login.key(),
        collaborators.gate(),
        collaborators.clock(),
        collaborators.patience().aside());
  }

  /**
   * Forwards a port, the same as before where that is free: programs that run on the machine try
   * that one first, and then need not search for the new one.
   */
  private int forward(Connection connection) throws MachineAway, InterruptedException {
    int ours = collaborators.gate().port().result();
    int known = collaborators.files().port(login);
    for (int i = 0; known > 0 && i < PORT_TRIES; i++) {
      try {
        return connection.listenThere(known, ours);
      } catch (MachineAway e) {
        LOG.debug("{}: another port is taken: {}", login.name(), e.why());
        Thread.sleep(collaborators.patience().firstPause().dividedBy(2));
      }
    }
    int fresh = connection.listenThere(0, ours);
    collaborators.files().port(login, fresh);
    return fresh;
  }

  /** Writes the port of this server where the keepers of attempts search for it. */
  void announce(ConnectedMachine site) throws MachineAway, InterruptedException {
    Said said =
        site.connection()
            .run(
                Script.ANNOUNCE.with(
                    Map.of(
                        "ports",
                        site.facts().ports(),
                        "server",
                        collaborators.files().server(),
                        "login",
                        login.key(),
                        "port",
                        Integer.toString(site.port()))),
                collaborators.patience().command());
    if (said.exitCode() != 0) {
      throw MachineAway.passing("has no room for trials: " + said.complaint());
    }
  }
}
