/** The tracker's settings, all from the environment. */
export interface Settings {
  /** 0 takes a free one. */
  readonly port: number;
  /** The address that it listens on. */
  readonly host: string;
  /** The platform's address. */
  readonly parleyUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The tracker's public address; defaults to `localhost` and the port. */
  readonly baseUrl: string | undefined;
  readonly dataFile: string;
}

/** @throws Error that says what to set */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  // An empty variable counts as unset.
  const given = (name: string): string | undefined => environment[name] || undefined;
  const needed = (name: string): string => {
    const value = given(name);
    if (value) return value;
    throw new Error(`Set ${name}: see examples/task-tracker/README.md.`);
  };
  return {
    port: Number(given('PORT') ?? 3001),
    host: given('HOST') ?? '127.0.0.1',
    parleyUrl: given('PARLEY_URL') ?? 'http://localhost:3000',
    clientId: needed('PARLEY_CLIENT_ID'),
    clientSecret: needed('PARLEY_CLIENT_SECRET'),
    baseUrl: given('BASE_URL')?.replace(/\/$/, ''),
    dataFile: given('DATA_FILE') ?? 'task-tracker.db',
  };
}
