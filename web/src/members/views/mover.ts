/** Moves the focus in a virtual list. */
export interface Mover {
  move(by: 1 | -1): void;
}
