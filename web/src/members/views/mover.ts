/** Moves the focus in a virtual list. */
export interface Mover {
  move(by: 1 | -1): void;
}

export interface StreamHandle {
  /** Scrolls to the end, as after posting. */
  follow(): void;
  /** Scrolls to the first message that is loaded; earlier ones are read then. */
  toStart(): void;
}
