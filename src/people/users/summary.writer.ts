import { writer } from '#api';
import { remembering } from '#platform/remembering.ts';
import type { UserPresenter } from './user.present.ts';
import { UserSummary } from './user.schema.ts';
import { unpackSummary } from './user.store.ts';

const write = writer(UserSummary, []);

/** Writes the summary of a packed user, once for each content. */
export const summaryWriter = (users: UserPresenter, baseUrl: () => string) =>
  remembering(baseUrl, (packed) => write(users.summary(unpackSummary(packed))));
