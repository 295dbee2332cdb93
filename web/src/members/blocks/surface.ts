/** Where blocks of an application stand: a message, a form, or the application's home. */
export interface Surface {
  /** By which clicks, choices and questions in it are told from those elsewhere. */
  readonly id: string;
  /** Its address; below it the server takes `interactions` and asks for `options`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

export const messageSurface = (message: string): Surface => ({
  id: message,
  path: `/v1/messages/${message}`,
});

export const formSurface = (form: string): Surface => ({ id: form, path: `/v1/forms/${form}` });

/** Each team has a home of its own. */
export const homeSurface = (application: string, team: string): Surface => ({
  id: JSON.stringify(['home', application, team]),
  path: `/v1/applications/${application}/home`,
  query: { team },
});
