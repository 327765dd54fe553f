package io.orrery.gateway.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The form of the lines on stderr. */
public enum LogFormat {
  /** Time, level, name and message, as logback.xml has it. */
  TEXT,

  /** An object a line: timestamp in milliseconds, level, threadName, loggerName, message. */
  JSON;

  private static final String CONSOLE = "console";

  /** Has the lines from now on written in this form. */
  public void apply() {
    if (this == TEXT
        || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)
        || !(context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE)
            instanceof OutputStreamAppender<ILoggingEvent> console)) {
      return;
    }
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMDC(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    console.stop();
    console.setEncoder(encoder);
    console.start();
  }
}
