import type { Migration } from '#platform/db/index.ts';

/** A call goes to the address that the application has by then, so each attempt tells its own. */
export const attemptAddresses: Migration = {
  name: '0033-attempt-addresses',
  rolling: true,
  up: () => ['ALTER TABLE delivery_attempts ADD COLUMN url text'],
};
