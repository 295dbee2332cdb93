/** What the tracker must know; all of it comes from the environment. */
export interface Settings {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where the platform is. */
  readonly parleyUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people and the platform reach the tracker; not given, it is `localhost` and the port. */
  readonly baseUrl: string | undefined;
  readonly dataFile: string;
}

/** @throws Error that says what to set */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  // What is set to nothing is not set.
  const given = (name: string): string | undefined => environment[name] || undefined;
  const needed = (name: string): string => {
    const value = given(name);
    if (value) return value;
    throw new Error(`Set ${name}: see examples/task-tracker/README.md.`);
  };
  return {
    port: Number(given('PORT') ?? 3001),
    parleyUrl: given('PARLEY_URL') ?? 'http://localhost:3000',
    clientId: needed('PARLEY_CLIENT_ID'),
    clientSecret: needed('PARLEY_CLIENT_SECRET'),
    baseUrl: given('BASE_URL')?.replace(/\/$/, ''),
    dataFile: given('DATA_FILE') ?? 'task-tracker.db',
  };
}
