/** Asks for the password; false when the person would rather not. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;

/** Says how the password is asked for; undefined when nothing can ask any more. */
export function askPasswordWith(how: Ask | undefined): void {
  ask = how;
}

/** The server wants the password again before a sensitive act. @returns whether it was shown */
export function showPassword(): Promise<boolean> {
  return ask?.() ?? Promise.resolve(false);
}
