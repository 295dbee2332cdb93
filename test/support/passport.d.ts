/** What the tests use of it; its own types bring those of Express along. */
declare module 'passport-oauth2' {
  interface Options {
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly clientID: string;
    readonly clientSecret?: string;
    readonly callbackURL: string;
    readonly state: true;
    readonly pkce: true;
  }
  type Done = (error: unknown, user?: unknown) => void;

  export default class OAuth2Strategy {
    constructor(
      options: Options,
      verify: (access: string, refresh: string, profile: unknown, done: Done) => void,
    );
  }
}

declare module 'passport' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  class Passport {
    use(strategy: unknown): this;
    authenticate(
      name: string,
      options: { session: false },
    ): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  }

  export { Passport };
}
