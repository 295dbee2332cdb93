import type { Card } from './card.ts';
import { readGeneric } from './generic.ts';
import { type Fields, fieldsOf, textOf } from './payload.ts';

/** `build_status`, which Bitrise sends as a number. */
const STATES = ['running', 'success', 'failed', 'aborted', 'aborted'];

/** Bitrise’s outgoing webhook, which has neither names nor words. */
export function readBitrise(payload: Fields): Card | undefined {
  const { build_slug, build_number, build_status, ...others } = payload;
  const status = STATES[Number(textOf(build_status) || Number.NaN)];
  if (build_slug === undefined || status === undefined) return undefined;
  const { src_branch: branch, ...git } = fieldsOf(payload.git);
  return readGeneric({ title: `Build ${textOf(build_number)}`, status, branch, ...others, git, build_slug });
}
