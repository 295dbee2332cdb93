/** For threads, which the program's own handling of warnings does not reach: no word of SQLite's being experimental. */
export const QUIET = ['--disable-warning=ExperimentalWarning'];
