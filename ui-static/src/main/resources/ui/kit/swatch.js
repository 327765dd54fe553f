// The colours that tell the members of a series apart.
import { html } from "lit";
import { styled } from "./styled.js";

/** How many colours there are; further members repeat them. */
export const SERIES = 8;

/** The colour of a member, by its place from 0. */
export const seriesColour = (at) => `var(--series-${(at % SERIES) + 1})`;

/** A small square of a member's colour, beside its name. */
export const swatch = (at) => html`<i class="swatch" ${styled({ background: seriesColour(at) })}></i>`;
