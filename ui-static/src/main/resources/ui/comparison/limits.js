/** How many experiments can be compared at once. */
export const MOST_COMPARED = 10;
