/** Moves the focus in a list, of which most is not in the page. */
export interface Mover {
  move(by: 1 | -1): void;
}
