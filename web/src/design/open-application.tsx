import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { callOne } from '../api/client.ts';
import { ButtonAnchor } from './button.tsx';

interface Opened {
  readonly application: string;
  readonly team: string;
}

/**
 * Opens an application in a tab of its own. The link leads to the page that asks; a click opens without it where the
 * person has been asked before. Only a POST opens at once, since a link could be somebody else's.
 */
export function OpenApplicationLink({
  application,
  team,
  ...rest
}: Opened &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target' | 'rel'> & {
    look?: 'primary' | 'secondary';
    small?: boolean;
  }) {
  const page = `/applications/${application}/open?${new URLSearchParams({ team })}`;
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void open({ application, team }, new URL(page, location.href).href);
  };
  return <ButtonAnchor {...rest} href={page} target="_blank" rel="noopener" onClick={onClick} />;
}

/** @param page asks the person, or says what is wrong */
async function open({ application, team }: Opened, page: string): Promise<void> {
  // Now, because a browser opens a tab for a click alone. It may refuse even then.
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  const to = await callOne<{ url: string }>(`/v1/applications/${application}/opening`, {
    method: 'POST',
    body: { team },
  }).then(
    ({ url }) => url,
    () => page,
  );
  (tab ?? window).location.assign(to);
}
