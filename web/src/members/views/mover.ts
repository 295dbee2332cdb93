/** Moves the focus in a list; each returns whether there was a row to move it to. */
export interface Mover {
  move(by: 1 | -1): boolean;
  /** Gives the focus to the row that had it last, or to the last one in view. */
  enter(): boolean;
  /**
   * Gives the focus back to the row whose conversation was open, or to the one in its place.
   * @param focus how it is given
   */
  back(id: string, focus: (row: HTMLElement) => void): boolean;
}

export interface StreamHandle {
  /** Scrolls to the end, as after posting. */
  follow(): void;
  /** Scrolls to the first message that is loaded; earlier ones are read then. */
  toStart(): void;
}
