import { inOrder, type Step } from '../../stewardship/erasure/index.ts';
import {
  deleteAccessTokensOf,
  deleteAgreementsOf,
  deleteCodesOf,
  deleteGrantsOf,
  deleteRefreshTokensOf,
} from './erasing.store.ts';

const deleteAll = inOrder([
  deleteAccessTokensOf,
  deleteRefreshTokensOf,
  deleteCodesOf,
  deleteGrantsOf,
  deleteAgreementsOf,
]);

/** Deletes what let applications act for a person; it was revoked with the account. */
export const eraseTokens: Step = {
  erase: async (tx, userId, place) => ((await deleteAll(tx, { userId })) ? place : undefined),
};
