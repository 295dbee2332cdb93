import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Unfurl } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Blocks } from '../blocks/on-demand.tsx';
import { removeUnfurl } from '../state/changes.ts';
import { useMessageView } from '../state/view-context.tsx';
import { Outside } from '../text/message-text.tsx';
import { useFolded } from './folded-previews.ts';
import styles from './unfurls.module.css';

/** What links in a message's text lead to, as their applications show it, or as foreign pages say of themselves. */
export function Unfurls({ message, unfurls }: { message: Message; unfurls: readonly Unfurl[] }) {
  const t = useTranslations('members.unfurls');
  const { me, isAdmin } = useMessageView();
  const [asked, setAsked] = useState<Unfurl>();
  const inCharge =
    message.author.id === me.id || (message.sidebar === undefined && isAdmin(message.addressed_teams[0]));
  const shown =
    me.link_previews?.shown !== false ? unfurls : unfurls.filter(({ application }) => application !== null);
  if (shown.length === 0) return null;
  return (
    <>
      <ul className={styles.list} aria-label={t('label')}>
        {shown.map((unfurl) => (
          <Item
            key={unfurl.id}
            unfurl={unfurl}
            message={message}
            {...(inCharge && { remove: () => setAsked(unfurl) })}
          />
        ))}
      </ul>
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('removeTitle')}
        description={t(asked?.application === null ? 'removePage' : 'removeText')}
        action={t('removeAction')}
        act={() => removeUnfurl(message, asked?.id ?? '')}
      />
    </>
  );
}

function Item({ unfurl, message, remove }: { unfurl: Unfurl; message: Message; remove?: () => void }) {
  const t = useTranslations('members.unfurls');
  const [isFolded, fold] = useFolded(unfurl.id);
  const content = useId();
  const { title } = unfurl;
  return (
    <li className={styles.card}>
      <div className={styles.what}>
        <Source unfurl={unfurl} />
        <div id={content} className={styles.what} hidden={isFolded}>
          {!isFolded && <Card unfurl={unfurl} message={message} />}
        </div>
      </div>
      <IconButton
        small
        className={styles.remove as string}
        label={t(isFolded ? 'unfold' : 'fold', { title })}
        aria-expanded={!isFolded}
        aria-controls={content}
        onClick={() => fold(!isFolded)}
      >
        {isFolded ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
      </IconButton>
      {remove && (
        <IconButton small className={styles.remove as string} label={t('remove', { title })} onClick={remove}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

/** Whose words these are: an application's, or those of the page where the link led. */
function Source({ unfurl: { application, host, site } }: { unfurl: Unfurl }) {
  const t = useTranslations('members.unfurls');
  if (!application) {
    return (
      <p className={styles.application}>
        <span className="visually-hidden">{t('fromPage')}</span>
        <bdi data-host>{host}</bdi>
        {site && (
          <>
            <span aria-hidden>·</span>
            <bdi>{site}</bdi>
          </>
        )}
      </p>
    );
  }
  return (
    <p className={styles.application}>
      <ApplicationIcon application={application} size="tiny" />
      <span>
        {t('from')} <bdi>{application.name}</bdi>
      </span>
    </p>
  );
}

function Card({ unfurl, message }: { unfurl: Unfurl; message: Message }) {
  const { url, title, text, fields, picture, blocks, application } = unfurl;
  const leads = (
    <p className={styles.title}>
      <Outside url={url}>
        <bdi>{title}</bdi>
      </Outside>
    </p>
  );
  if (blocks) {
    const said = { ...message, id: unfurl.id, text, mentions: [], via_app: application, pictures: undefined };
    return (
      <>
        {leads}
        <Blocks message={said} blocks={blocks} isPast isFramed />
      </>
    );
  }
  return (
    <>
      {leads}
      {text !== '' && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {picture && <Picture picture={picture} />}
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they do not move, and a name may be there twice
            <div key={at}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

const MOST_WIDE = 360;
const MOST_HIGH = 240;

/** From this server. The space is reserved, so that nothing moves; one that cannot be had any more takes none. */
function Picture({ picture: { url, width, height } }: { picture: NonNullable<Unfurl['picture']> }) {
  const [isGone, setGone] = useState(false);
  if (isGone) return null;
  const scale = Math.min(1, MOST_WIDE / width, MOST_HIGH / height);
  return (
    <img
      className={styles.picture}
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      onError={() => setGone(true)}
    />
  );
}
