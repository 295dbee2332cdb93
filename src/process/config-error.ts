/** A setting that cannot be used; the message says which one, and what to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
