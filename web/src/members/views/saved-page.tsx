import { useSearch } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useTitle } from '../../design/page.tsx';
import { Time } from '../../design/time.tsx';
import { ViewHead } from '../../design/view.tsx';
import { type Kept, savedQuery } from '../state/saved.ts';
import { KeptList } from './kept-list.tsx';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';

/** What its reader has saved for later. */
export function Saved() {
  const t = useTranslations('members.saved');
  const { open } = useSearch({ from: '/signed-in/saved' });
  const mover = useRef<Mover>(null);
  useTitle(t('title'));
  return (
    <MessagesFrame openId={open} mover={mover}>
      <ViewHead title={t('title')} />
      <KeptList
        query={savedQuery}
        flag="saved"
        label={t('list')}
        openId={open}
        mover={mover}
        empty={{ icon: Bookmark, title: t('emptyTitle'), text: t('emptyText') }}
        takes={() => true}
        note={({ at }: Kept) => t.rich('savedAt', { time: () => <Time at={at} /> })}
      />
    </MessagesFrame>
  );
}
