import { isLoopback } from '../api/host.ts';
import type { Invitation } from '../api/types.ts';
import { Notice } from '../design/notice.tsx';

/** Says so where the links of invitations lead each reader to their own machine. */
export function LocalLinks({ invitations, text }: { invitations: readonly Invitation[]; text: string }) {
  const isLocal = invitations.some(({ url }) => url && isLoopback(new URL(url).hostname));
  return isLocal ? <Notice kind="warning">{text}</Notice> : null;
}
