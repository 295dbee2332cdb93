import { Fragment, type ReactNode } from 'react';
import { type Block, type Inline, readText } from '#platform/text/formatting.ts';
import { call } from '../../api/client.ts';
import { outsideUrl } from '../../api/outside.ts';
import type { Message } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { EmojiByName, WithEmoji } from '../../emoji/custom-emoji-image.tsx';
import { isEmojiAlone } from './emoji-alone.ts';
import { Mention } from './mention.tsx';
import styles from './text.module.css';

interface Context {
  readonly message: Pick<Message, 'mentions' | 'via_app'> & Partial<Pick<Message, 'addressed_teams'>>;
}

/** A message's text. It is never inserted as HTML. */
export function MessageText({ text, ...context }: Context & { text: string }) {
  const blocks = readText(text);
  const shown = (
    <div className={`${styles.text} ${isEmojiAlone(blocks) ? styles.emojiAlone : ''}`} dir="auto">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have nothing else, and hold no state
        <BlockOf key={at} block={block} {...context} />
      ))}
    </div>
  );
  return blocks.some(namesEmoji) ? <WithEmoji>{shown}</WithEmoji> : shown;
}

function namesEmoji(block: Block): boolean {
  const isNamed = (piece: Inline): boolean =>
    piece.kind === 'emoji' || ('children' in piece && piece.children.some(isNamed));
  if (block.kind === 'code') return false;
  return (block.kind === 'list' ? block.items.flat() : block.children).some(isNamed);
}

function BlockOf({ block, ...context }: Context & { block: Block }) {
  if (block.kind === 'paragraph') return <p>{inlines(block.children, context)}</p>;
  if (block.kind === 'code') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide one is moved with the keyboard (WCAG 2.1.1)
      <pre className={styles.block} tabIndex={0}>
        <code>{block.text}</code>
      </pre>
    );
  }
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  const items = block.items.map((item, at) => <li key={at}>{inlines(item, context)}</li>);
  return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
}

function inlines(pieces: readonly Inline[], context: Context): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: as above
  return pieces.map((piece, at) => <Fragment key={at}>{inline(piece, context)}</Fragment>);
}

function inline(piece: Inline, context: Context): ReactNode {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return <code className={styles.code}>{piece.text}</code>;
    case 'strong':
      return <strong>{inlines(piece.children, context)}</strong>;
    case 'em':
      return <em>{inlines(piece.children, context)}</em>;
    case 'link':
      return <Outside url={piece.text}>{piece.text}</Outside>;
    case 'mention':
      return <Mention username={piece.text} team={context.message.addressed_teams?.[0]} />;
    case 'emoji':
      return <EmojiByName name={piece.text} />;
    case 'object':
      return <ObjectLink message={context.message} />;
  }
}

/** An application's object, where the text mentions it. */
function ObjectLink({ message: { mentions, via_app } }: Pick<Context, 'message'>) {
  const [mention] = mentions;
  if (!mention) return '{0}';
  const url = mention.url === null ? undefined : outsideUrl(mention.url);
  if (url === undefined) return <span className={styles.object}>{mention.name}</span>;
  const tell = () => tellOpened(mention.id);
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={styles.object}
      onClick={tell}
      onAuxClick={({ button }) => button === MIDDLE && tell()}
    >
      {via_app && <ApplicationIcon application={via_app} size="tiny" />}
      {mention.name}
    </a>
  );
}

/** `MouseEvent.button`: opens a link in a new tab. */
const MIDDLE = 1;

/** The link leads there by itself, whether or not the application can be told. */
function tellOpened(object: string): void {
  call(`/v1/objects/${object}/openings`, { method: 'POST' }).catch(() => undefined);
}

/** An external link. */
export function Outside({
  url,
  className,
  children,
}: {
  url: string;
  className?: string;
  children: ReactNode;
}) {
  const safe = outsideUrl(url);
  if (safe === undefined) return children;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" {...(className && { className })}>
      {children}
    </a>
  );
}
