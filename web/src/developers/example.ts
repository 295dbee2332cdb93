import { addressFields, EXAMPLE_URL, proposeAddresses } from './addresses.ts';

/** The example application of Parley's source; `examples/task-tracker/README.md` says the same. */
export const EXAMPLE = {
  name: 'Task tracker',
  description: '',
  icon: '✅',
  /** To hear `@tasktracker …`, and to post for members. */
  scopes: ['messages:read', 'messages:write'],
} as const;

/** The body that registers it. */
export const EXAMPLE_REGISTRATION = { ...EXAMPLE, ...addressFields(proposeAddresses(EXAMPLE_URL)) };
