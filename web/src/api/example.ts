/** Where the example application of Parley's source listens unless it is told otherwise. */
export const EXAMPLE_URL = 'http://localhost:3001';

/** The example application; `examples/task-tracker/README.md` says the same. */
export const EXAMPLE = {
  name: 'Task tracker',
  description: '',
  icon: '✅',
  /** To hear `@tasktracker …`, and to post for members. */
  scopes: ['messages:read', 'messages:write'],
  commands: [{ name: 'task', description: 'Add a task', hint: '' }],
  hasHome: true,
} as const;
