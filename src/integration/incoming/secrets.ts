import { squeezed } from './squeezed.ts';

/** What stands for a secret. A team reads what is posted, and so does everybody who joins it later. */
export const HIDDEN = '•••';

/** Names by which programs prove themselves, in lower case and without signs. */
const SECRET =
  /(?:secret|secretkey|secretaccesskey|token|password|passwd|passphrase|passcode|pwd|signature|authorization|cookie|credentials?|jwt|otp|dsn|connectionstring|apikey|accesskey|accesskeyid|privatekey|bearer)$|^(?:auth|pin|session|sessionid)$/;
/** A longer name is that of no field. */
const MOST_OF_KEY = 60;
const MOST_OF_WAY = 200;

export const isSecretName = (key: string): boolean => SECRET.test(squeezed(key.slice(-MOST_OF_KEY)));

/** Whether a value lies in something that is named like a secret. */
export const isSecretWay = (way: string): boolean => way.slice(-MOST_OF_WAY).split('.').some(isSecretName);

/** Whether it is a parameter whose value is a secret, as `{"name": "password", "value": …}`. */
export const isSecretPair = ({ name, key, value }: Readonly<Record<string, unknown>>): boolean =>
  value !== undefined && [name, key].some((one) => typeof one === 'string' && isSecretName(one));

/** A text without what its addresses let somebody in by. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/:\/\/[^\s/@]{1,200}@/g, `://${HIDDEN}@`)
    .replaceAll(/hooks\.slack\.com\/services\/[\w/]{1,100}/g, `hooks.slack.com/services/${HIDDEN}`)
    // Addresses at which others post: Discord’s, and ours.
    .replaceAll(/\/api\/webhooks\/\d{1,30}\/[\w-]{1,200}/g, `/api/webhooks/${HIDDEN}`)
    .replaceAll(/\/v1\/hooks\/[\w-]{1,200}/g, `/v1/hooks/${HIDDEN}`);
