package io.orrery.cli.client;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The converter of options that say how many: whole numbers from 0 to 2,147,483,647. */
public final class Count implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    try {
      int count = Integer.parseInt(text);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Said below, together with numbers below 0.
    }
    throw new TypeConversionException("'" + text + "' is not a whole number of 0 or more");
  }
}
