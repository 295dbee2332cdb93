/** The settings of a bot, all from the environment. */
export interface Settings {
  /** The platform's address. */
  readonly parleyUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Of the address on this machine that answers the installation and the sign-in. */
  readonly port: number;
  readonly dataFile: string;
}

/** The defaults of a bot, for settings that the environment lacks. */
export interface Usual {
  /** The folder of the example. */
  readonly name: string;
  readonly port: number;
  readonly dataFile: string;
}

/** @throws Error that says what to set */
export function readSettings(environment: NodeJS.ProcessEnv, usual: Usual): Settings {
  // An empty variable counts as unset.
  const given = (name: string): string | undefined => environment[name] || undefined;
  const needed = (name: string): string => {
    const value = given(name);
    if (value) return value;
    throw new Error(`Set ${name}: see examples/${usual.name}/README.md.`);
  };
  return {
    parleyUrl: given('PARLEY_URL') ?? 'http://localhost:3000',
    clientId: needed('PARLEY_CLIENT_ID'),
    clientSecret: needed('PARLEY_CLIENT_SECRET'),
    port: Number(given('PORT') ?? usual.port),
    dataFile: given('DATA_FILE') ?? usual.dataFile,
  };
}
