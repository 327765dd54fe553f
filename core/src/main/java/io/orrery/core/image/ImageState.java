package io.orrery.core.image;

/** The answer to the question whether an image of the catalogue is still in its registry. */
public enum ImageState {
  /** It is there, with the digest that is known. */
  PRESENT,
  /** The tag is there and names another image now. */
  MOVED,
  /** The registry does not have it any more. */
  GONE,
  /** The registry could not be asked. */
  UNKNOWN
}
