import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { ViewHead } from '../../design/view.tsx';
import { Composer } from '../compose/composer.tsx';
import { AskedAt } from '../message/asked-at.tsx';
import { noteSeenWith } from '../state/direct.ts';
import { findMessage } from '../state/messages.ts';
import type { Target } from '../state/outbox.ts';
import styles from './frame.module.css';
import { useStreamKeys } from './keys.ts';
import { notePosted, OfferAfterPosting } from './notification-offer.tsx';
import { type BetweenProps, OpenedStreamBody, useOpenedStream } from './opened-stream.tsx';
import { WhoTypes } from './who-types.tsx';

/** The key of a draft, for the conversation with this name in addresses. */
export const draftOf = (name: string): string => `people.${name}`;

/** A direct conversation: with people, or with an application. */
export function DirectView(
  props: BetweenProps & {
    name: string;
    icon: ReactNode;
    about: ReactNode;
    /** What else can be done with it, at the end of its head. */
    menu: ReactNode;
    target: Target;
    /** The id of the conversation, where the others hear that one types. */
    typingIn?: string | undefined;
    unread: number;
    /** Stands where it begins. */
    beginning: string;
    /** Of the field. */
    label: string;
    /** Stands in the place of the field where nothing can be written. */
    closed?: ReactNode;
    /** Below the field. */
    note?: ReactNode;
  },
) {
  const { of, name, target, at, mover, inviting, label, beginning, closed } = props;
  const t = useTranslations('members.direct');
  useTitle(name);
  const filter = useMemo(() => ({ with: of }), [of]);
  const opened = useOpenedStream(filter, target, at);
  const { composer, stream, editLast } = opened;
  const streamed = useMemo(
    () => ({
      label: t('label', { name }),
      beginning,
      seen: (ids: readonly string[]) => {
        const last = ids.findLast((id) => findMessage(id)?.read === false);
        if (last !== undefined) noteSeenWith(of, last);
      },
    }),
    [t, name, beginning, of],
  );
  useStreamKeys(name, stream);
  return (
    <>
      <ViewHead title={name} icon={props.icon} about={props.about}>
        <ButtonLink to="/search" search={{ with: of }} small look="quiet">
          {t('search')}
        </ButtonLink>
        <ButtonLink to="/direct/$people/files" params={{ people: of }} small look="quiet">
          {t('files')}
        </ButtonLink>
        {props.menu}
      </ViewHead>
      <OpenedStreamBody
        opened={opened}
        of={streamed}
        unread={props.unread}
        mover={mover}
        empty={
          <div className={`${styles.scroll} ${styles.fill}`}>
            <p className={styles.beginning}>{beginning}</p>
          </div>
        }
      />
      <div className={styles.foot}>
        <OfferAfterPosting />
        {closed || (
          <>
            {target.kind === 'application' && (
              <AskedAt place={target.team} leave={() => composer.current?.focus()} />
            )}
            <WhoTypes place={props.typingIn} />
            <Composer
              target={target}
              draft={draftOf(of)}
              label={label}
              placeholder={label}
              handle={composer}
              inviting={inviting ? 'opened' : undefined}
              editLast={editLast}
              onEscape={() => mover.current?.enter()}
              onPosted={() => {
                notePosted();
                stream.current?.follow();
              }}
            />
          </>
        )}
        {props.note}
      </div>
    </>
  );
}
