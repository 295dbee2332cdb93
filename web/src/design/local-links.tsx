import { isLoopback } from '../api/host.ts';
import { Notice } from '../design/notice.tsx';

interface LocalLinksProps {
  readonly links: readonly { readonly url: string | null }[];
  readonly text: string;
}

/** Says so where links into a team lead each reader to their own machine. */
export function LocalLinks({ links, text }: LocalLinksProps) {
  const isLocal = links.some(({ url }) => url && isLoopback(new URL(url).hostname));
  return isLocal ? <Notice kind="warning">{text}</Notice> : null;
}
