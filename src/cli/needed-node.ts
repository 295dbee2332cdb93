/** The oldest version of Node.js that runs the program; `bootstrap.cjs` brings one where it is missing. */
export const NEEDED_MAJOR = 24;
