package io.orrery.gateway.telemetry;

import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/**
 * A handler that writes the messages of OpenTelemetry's library into the server's log. The library
 * uses the logging of Java, which writes plain lines even where the log is an object a line.
 */
final class LibraryMessages extends Handler {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(SpanExport.class);

  /** Held here: the logging of Java forgets the handlers of a logger that is garbage. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private final Formatter words = new SimpleFormatter();

  private LibraryMessages() {}

  /** Has the messages written into the server's log, and nowhere else. */
  static synchronized void redirect() {
    LIBRARY.setUseParentHandlers(false);
    if (LIBRARY.getHandlers().length == 0) {
      LIBRARY.addHandler(new LibraryMessages());
    }
  }

  @Override
  public void publish(LogRecord message) {
    String text = words.formatMessage(message);
    if (message.getLevel().intValue() >= Level.WARNING.intValue()) {
      LOG.warn("could not export spans: {}", text, message.getThrown());
    } else {
      LOG.debug("{}", text, message.getThrown());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
