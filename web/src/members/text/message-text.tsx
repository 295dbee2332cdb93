import { Square, SquareCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import {
  type Block,
  type Inline,
  type Item,
  type Link,
  linesOf,
  readText,
  textOf,
} from '#platform/text/formatting.ts';
import { call } from '../../api/client.ts';
import { outsideUrl } from '../../api/outside.ts';
import type { Message } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { UnmarkedLink } from '../../design/unmarked-link.tsx';
import { EmojiByName, WithEmoji } from '../../emoji/custom-emoji-image.tsx';
import { referenceOf, repetitionIn } from '../state/references.ts';
import { isEmojiAlone } from './emoji-alone.ts';
import { Mention } from './mention.tsx';
import { RepliedTo } from './replied-to.tsx';
import styles from './text.module.css';
import { useColoured } from './use-coloured.ts';

interface Context {
  readonly message: Pick<Message, 'mentions' | 'via_app'> &
    Partial<Pick<Message, 'addressed_teams' | 'format'>>;
}

/** A message's text. It is never inserted as HTML. */
export function MessageText({ text, ...context }: Context & { text: string }) {
  const repetition = repetitionIn({ ...context.message, text });
  const blocks = readText(repetition?.words ?? text, context.message.format);
  const lines = [...linesOf(blocks)];
  const has = (kind: Inline['kind']) => lines.some((line) => hasKind(line, kind));
  const shown = (
    <div className={`${styles.text} ${isEmojiAlone(blocks) ? styles.emojiAlone : ''}`} dir="auto" data-text>
      {shownBlocks(blocks, context)}
      {repetition && <RepliedTo reply={repetition.reply} />}
      {/* Where `{0}` stands in code. */}
      {context.message.mentions.length > 0 && text.includes('{0}') && !has('object') && (
        <p>
          <ObjectLink message={context.message} />
        </p>
      )}
    </div>
  );
  return has('emoji') ? <WithEmoji>{shown}</WithEmoji> : shown;
}

const hasKind = (pieces: readonly Inline[], kind: Inline['kind']): boolean =>
  pieces.some((piece) => piece.kind === kind || ('children' in piece && hasKind(piece.children, kind)));

const shownBlocks = (blocks: readonly Block[], context: Context): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks have nothing else, and hold no state
  blocks.map((block, at) => <BlockOf key={at} block={block} {...context} />);

function BlockOf({ block, ...context }: Context & { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inlines(block.children, context)}</p>;
    case 'heading':
      return <Heading level={block.level}>{inlines(block.children, context)}</Heading>;
    case 'quote':
      return <blockquote className={styles.quote}>{shownBlocks(block.blocks, context)}</blockquote>;
    case 'code':
      return <Code text={block.text} language={block.language} />;
    case 'list':
      return <List block={block} {...context} />;
    case 'table':
      return <Table block={block} {...context} />;
  }
}

/** Below the heading of the page. Levels are looks alone: the first one of a message may be of any, and must leave out none. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  return (
    <h2 className={styles.heading} data-level={Math.min(level, 3)}>
      {children}
    </h2>
  );
}

export function Code({ text, language }: { text: string; language: string | undefined }) {
  const coloured = useColoured(text, language);
  return (
    <div className={styles.code}>
      {language !== undefined && <p className={styles.language}>{language}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide one is moved with the keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>
        <code>{coloured ?? text}</code>
      </pre>
    </div>
  );
}

function List({ block: { items, isNumbered }, ...context }: Context & { block: Block & { kind: 'list' } }) {
  const shown = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <ListItem key={at} item={item} {...context} />
  ));
  return isNumbered ? <ol>{shown}</ol> : <ul>{shown}</ul>;
}

function ListItem({ item: { blocks, number, checked }, ...context }: Context & { item: Item }) {
  const t = useTranslations('members.message');
  const Check = checked ? SquareCheck : Square;
  return (
    <li value={number} className={checked === undefined ? undefined : styles.task}>
      {checked !== undefined && (
        <span role="img" aria-label={t(checked ? 'taskDone' : 'taskOpen')} className={styles.check}>
          <Check size={18} aria-hidden />
        </span>
      )}
      <div>{shownBlocks(blocks, context)}</div>
    </li>
  );
}

function Table({ block: { head, rows }, ...context }: Context & { block: Block & { kind: 'table' } }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as a block of code
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map(({ children, align }, at) => {
              // A corner without a name heads nothing.
              const Cell = children.length === 0 ? 'td' : 'th';
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <Cell key={at} data-align={align} {...(Cell === 'th' && { scope: 'col' })}>
                  {inlines(children, context)}
                </Cell>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={line}>
              {row.map(({ children, align }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={at} data-align={align}>
                  {inlines(children, context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
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
      return <code className={styles.inlineCode}>{piece.text}</code>;
    case 'strong':
      return <strong>{inlines(piece.children, context)}</strong>;
    case 'em':
      return <em>{inlines(piece.children, context)}</em>;
    case 'strike':
      return <s>{inlines(piece.children, context)}</s>;
    case 'link':
      return <NamedLink link={piece}>{inlines(piece.children, context)}</NamedLink>;
    case 'mention':
      return <Mention username={piece.text} team={context.message.addressed_teams?.[0]} />;
    case 'emoji':
      return <EmojiByName name={piece.text} />;
    case 'object':
      return <ObjectLink message={context.message} />;
  }
}

/** With its host, where its text names another one; where it may be no link, with its address. */
export function NamedLink({ link, children }: { link: Link; children: ReactNode }) {
  const { url, title, host } = link;
  const isLink = outsideUrl(url) !== undefined;
  const aside = isLink || textOf(link) === url ? host : url;
  return (
    <>
      <Outside url={url} {...(title && { title })}>
        {children}
      </Outside>
      {aside !== undefined && (
        <span className={styles.host}>
          {' '}
          (<span data-host>{aside}</span>)
        </span>
      )}
    </>
  );
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

/** A link that a person wrote: to another site in a tab of its own, to a message of this server in place. */
export function Outside({
  url,
  className,
  title,
  children,
}: {
  url: string;
  className?: string;
  title?: string;
  children: ReactNode;
}) {
  const safe = outsideUrl(url);
  if (safe === undefined) return children;
  const reference = referenceOf(safe);
  if (reference) {
    const { message } = reference;
    const given = { ...(className && { className }), ...(title && { title }) };
    return (
      <UnmarkedLink to="/messages/$message" params={{ message }} {...given}>
        {children}
      </UnmarkedLink>
    );
  }
  return (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer"
      {...(className && { className })}
      {...(title && { title })}
    >
      {children}
    </a>
  );
}
