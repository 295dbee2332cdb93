/** Asks for the password. Resolves to false when the user cancels. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;

/** Sets how the password is asked for; undefined once the dialog is gone. */
export function askPasswordWith(how: Ask | undefined): void {
  ask = how;
}

/** Asks for the password, which the server requires before a sensitive act. @returns whether it was given */
export function showPassword(): Promise<boolean> {
  return ask?.() ?? Promise.resolve(false);
}
