import type { Step } from '../../stewardship/erasure/index.ts';
import {
  deleteAccessTokensOf,
  deleteAgreementsOf,
  deleteCodesOf,
  deleteGrantsOf,
  deleteRefreshTokensOf,
} from './erasing.store.ts';

/** Deletes what let applications act for a person; it was revoked with the account. */
export const eraseTokens: Step = {
  erase: async (tx, userId) => {
    await deleteAccessTokensOf.run(tx, { userId });
    await deleteRefreshTokensOf.run(tx, { userId });
    await deleteCodesOf.run(tx, { userId });
    await deleteGrantsOf.run(tx, { userId });
    await deleteAgreementsOf.run(tx, { userId });
    return undefined;
  },
};
