import { useQuery } from '@tanstack/react-query';
import { Ellipsis, ThumbsDown, ThumbsUp, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { outsideUrl } from '../../api/outside.ts';
import { meQuery } from '../../api/queries.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { type Act, usePress } from './acting.ts';
import { labelOf } from './button-element.tsx';
import { useBlockId, useBlocks } from './context.ts';
import { useAction } from './element-value.tsx';
import styles from './elements.module.css';
import type { ElementOf } from './values.ts';
import { plainOf } from './words.tsx';

export function OverflowElement({ element }: { element: ElementOf<'overflow'> }) {
  const t = useTranslations('blocks');
  const { isAble, tell, dialog } = useAction(element);
  const trigger = (
    <IconButton label={t('more')} look="secondary" small>
      <Ellipsis size={16} aria-hidden />
    </IconButton>
  );
  return (
    <>
      <Menu trigger={trigger}>
        {element.options.map(({ text, value, description, url }) => {
          const safe = url === undefined ? undefined : outsideUrl(url);
          const host = url && URL.parse(url)?.host;
          return (
            <MenuItem
              key={value ?? url}
              disabled={url === undefined ? !isAble : safe === undefined}
              {...(safe === undefined
                ? { onSelect: () => tell({ value }) }
                : // biome-ignore lint/a11y/useAnchorContent: the menu puts its text into it
                  { link: <a href={safe} target="_blank" rel="noopener noreferrer" /> })}
            >
              <span className={styles.option}>
                <bdi>{plainOf(text)}</bdi>
                {description && <span className={styles.soft}>{plainOf(description)}</span>}
                {host && <span className={styles.soft}>{host}</span>}
              </span>
            </MenuItem>
          );
        })}
      </Menu>
      {dialog}
    </>
  );
}

/** Two answers, of which the last one pressed stays marked. */
export function FeedbackElement({ element }: { element: ElementOf<'feedback_buttons'> }) {
  const { positive_button: positive, negative_button: negative } = element;
  const { surface } = useBlocks();
  const press = usePress(surface, useBlockId(), element.action_id ?? '');
  const { isAble, tell } = useAction(element);
  const given = press?.status === 'failed' ? undefined : (press?.ask.what as Act | undefined)?.value;
  const button = ({ text, value, accessibility_label }: typeof positive, Icon: typeof ThumbsUp) => (
    <Button
      small
      look="quiet"
      className={styles.button as string}
      disabled={!isAble}
      aria-pressed={given === value}
      {...labelOf(plainOf(text), accessibility_label)}
      onClick={() => tell({ value })}
    >
      <Icon size={16} aria-hidden />
      <bdi>{plainOf(text)}</bdi>
    </Button>
  );
  return (
    <>
      {button(positive, ThumbsUp)}
      {button(negative, ThumbsDown)}
    </>
  );
}

export function IconButtonElement({ element }: { element: ElementOf<'icon_button'> }) {
  const { text, value, accessibility_label, visible_to_user_ids: visible } = element;
  const { data: me } = useQuery(meQuery);
  const { isAble, isBusy, tell, dialog } = useAction(element);
  if (visible && !(me && visible.includes(me.id))) return null;
  const name = plainOf(text);
  return (
    <>
      <IconButton
        small
        label={name}
        {...labelOf(name, accessibility_label)}
        busy={isBusy}
        disabled={!isAble}
        onClick={() => tell({ value })}
      >
        <Trash2 size={16} aria-hidden />
      </IconButton>
      {dialog}
    </>
  );
}
