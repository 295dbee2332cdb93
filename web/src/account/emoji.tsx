import { useQuery } from '@tanstack/react-query';
import { Plus, SmilePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { hasWords } from '../api/matching.ts';
import { meQuery, serverQuery } from '../api/queries.ts';
import { Button } from '../design/button.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { List, ListRow } from '../design/list.tsx';
import { onDemand } from '../design/on-demand.tsx';
import { Card } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { tell } from '../design/toast.tsx';
import { type CustomEmoji, customEmojiQuery, deleteEmoji, useMayAdd } from '../emoji/custom-emoji.ts';
import { EmojiImage } from '../emoji/custom-emoji-image.tsx';
import styles from './account.module.css';
import { SettingsPage } from './settings-page.tsx';

const AddEmoji = onDemand(async () => (await import('../emoji/add-emoji.tsx')).AddEmoji);

/** At once: a server has up to a thousand. */
const SHOWN = 100;

/** The server's own emoji: seeing, adding and deleting them. */
export function EmojiSettings() {
  const t = useTranslations('account.emoji');
  const members = useTranslations('members.emoji');
  const query = useQuery(customEmojiQuery);
  const mayAdd = useMayAdd();
  const [adding, setAdding] = useState(false);
  return (
    <SettingsPage tab="emoji">
      <Card title={t('title')} lead={t('lead')}>
        {mayAdd ? (
          <div>
            <Button onClick={() => setAdding(true)}>
              <Plus size={16} aria-hidden />
              {members('add.title')}
            </Button>
          </div>
        ) : (
          <WhyNot />
        )}
        <Loaded query={query} rows={3}>
          {(emoji) =>
            emoji.length === 0 ? (
              <Empty icon={SmilePlus} title={t('none')}>
                {mayAdd && <p>{t('noneText')}</p>}
              </Empty>
            ) : (
              <EmojiList emoji={emoji} />
            )
          }
        </Loaded>
      </Card>
      <Dialog open={adding} onClose={() => setAdding(false)} title={members('add.title')}>
        <AddEmoji onDone={() => setAdding(false)} />
      </Dialog>
    </SettingsPage>
  );
}

function WhyNot() {
  const t = useTranslations('account.emoji');
  const { data: server } = useQuery(serverQuery);
  if (!server) return null;
  return <p>{t(server.custom_emoji === 'off' ? 'off' : 'admins')}</p>;
}

function EmojiList({ emoji }: { emoji: readonly CustomEmoji[] }) {
  const t = useTranslations('account.emoji');
  const { data: me } = useQuery(meQuery);
  const [text, setText] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const [asked, setAsked] = useState<CustomEmoji>();
  const heading = useRef<HTMLDivElement>(null);
  const found = emoji.filter(({ name }) => hasWords(`${name} ${name.replaceAll('_', ' ')}`, text));
  const mayDelete = ({ creator }: CustomEmoji) => me?.superuser === true || creator === me?.id;
  const name = `:${asked?.name}:`;
  const act = async () => {
    if (!asked) return;
    await deleteEmoji(asked.name);
    tell(t('deleted', { name }));
    // Its button disappears, so the focus moves to the list.
    heading.current?.focus();
  };
  return (
    <>
      {emoji.length > 5 && (
        <TextField
          label={t('find')}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <div ref={heading} tabIndex={-1}>
        {found.length === 0 && <p role="status">{t('noneFound')}</p>}
        <List label={t('title')}>
          {found.slice(0, shown).map((one) => (
            <EmojiRow
              key={one.name}
              emoji={one}
              isOwn={one.creator === me?.id}
              {...(mayDelete(one) && { ask: () => setAsked(one) })}
            />
          ))}
        </List>
      </div>
      {found.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + SHOWN)}>{t('more')}</Button>
        </div>
      )}
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('deleteTitle', { name })}
        description={t('deleteText')}
        action={t('delete')}
        act={act}
      />
    </>
  );
}

function EmojiRow({ emoji, isOwn, ask }: { emoji: CustomEmoji; isOwn: boolean; ask?: () => void }) {
  const t = useTranslations('account.emoji');
  const format = useFormatter();
  const date = format.dateTime(emoji.created_at * 1000, { dateStyle: 'medium' });
  const name = `:${emoji.name}:`;
  return (
    <ListRow
      icon={
        <span className={styles.emoji}>
          <EmojiImage emoji={emoji} decorative />
        </span>
      }
      title={<bdi dir="ltr">{name}</bdi>}
      detail={t(isOwn ? 'byYou' : 'on', { date })}
      actions={
        ask && (
          <Button small onClick={ask} aria-label={t('deleteOne', { name })}>
            {t('delete')}
          </Button>
        )
      }
    />
  );
}
