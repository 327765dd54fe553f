// Styles by script. Lit's own styleMap writes a style attribute first, which the page's security
// policy refuses; properties of element.style are allowed.
import { noChange } from "lit";
import { Directive, directive } from "lit/directive.js";

class Styled extends Directive {
  render() {
    return noChange;
  }

  update(part, [styles]) {
    Object.assign(part.element.style, styles);
    return noChange;
  }
}

/** `<i ${styled({ width: "40%" })}>` */
export const styled = directive(Styled);
