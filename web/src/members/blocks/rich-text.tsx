import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useFormatter } from 'use-intl';
import { hostBehind } from '#platform/text/address.ts';
import { hexColor } from '#platform/text/color.ts';
import { withEmoji } from '#platform/text/dialects.ts';
import { membershipsQuery } from '../../api/queries.ts';
import type { RichTextPart, RichTextPiece, RichText as Text } from '../../api/types.ts';
import { EmojiByName, WithEmoji } from '../../emoji/custom-emoji-image.tsx';
import { Mention } from '../text/mention.tsx';
import { Code, NamedLink } from '../text/message-text.tsx';
import textStyles from '../text/text.module.css';
import { useBlocks } from './context.ts';
import { momentText } from './moment.ts';

/** A text whose formatting is given in parts. */
export function RichText({ text }: { text: Text }) {
  return (
    <WithEmoji>
      <div className={textStyles.text} dir="auto" data-text>
        {text.elements.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing else, and hold no state
          <Part key={at} part={part} />
        ))}
      </div>
    </WithEmoji>
  );
}

/** The same on one line. */
export const RichTextTitle = ({ text }: { text: Text }) => (
  <WithEmoji>
    {text.elements.map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={at}>
        {part.type === 'rich_text_list'
          ? part.elements.map(({ elements }) => piecesOf(elements))
          : piecesOf(part.elements)}
      </Fragment>
    ))}
  </WithEmoji>
);

function Part({ part }: { part: RichTextPart }) {
  switch (part.type) {
    case 'rich_text_section':
      return <p>{piecesOf(part.elements)}</p>;
    case 'rich_text_quote':
      return (
        <blockquote className={textStyles.quote}>
          <p>{piecesOf(part.elements)}</p>
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <Code
          text={part.elements.map((one) => (one.type === 'link' ? one.text || one.url : one.text)).join('')}
          language={part.language}
        />
      );
    case 'rich_text_list':
      return <List part={part} />;
    default:
      return null;
  }
}

function List({ part }: { part: RichTextPart & { type: 'rich_text_list' } }) {
  const { elements, indent = 0, offset = 0 } = part;
  const items = elements.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <li key={at}>{piecesOf(item.elements)}</li>
  ));
  const style = indent > 0 ? { marginInlineStart: `${indent * 1.5}rem` } : undefined;
  return part.style === 'ordered' ? (
    <ol start={offset + 1} style={style}>
      {items}
    </ol>
  ) : (
    <ul style={style}>{items}</ul>
  );
}

const piecesOf = (pieces: readonly RichTextPiece[]): ReactNode =>
  pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Styled key={at} style={piece.style}>
      <Piece piece={piece} />
    </Styled>
  ));

function Styled({ style, children }: { style: RichTextPiece['style']; children: ReactNode }) {
  let shown = children;
  if (style?.code) shown = <code className={textStyles.inlineCode}>{shown}</code>;
  if (style?.underline) shown = <u>{shown}</u>;
  if (style?.strike) shown = <s>{shown}</s>;
  if (style?.italic) shown = <em>{shown}</em>;
  if (style?.bold) shown = <strong>{shown}</strong>;
  return shown;
}

function Piece({ piece }: { piece: RichTextPiece }) {
  const format = useFormatter();
  const { message } = useBlocks();
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'link':
      return <RichLink url={piece.url} text={piece.text || piece.url} />;
    case 'emoji': {
      const written = `:${piece.name}:`;
      const known = withEmoji(written);
      return known === written ? <EmojiByName name={piece.name} /> : known;
    }
    case 'user':
      return <Mention username={piece.user_id} />;
    case 'usergroup':
      return '@…';
    case 'channel':
      return <TeamName id={piece.channel_id} />;
    case 'team':
      return <TeamName id={piece.team_id} />;
    case 'broadcast':
      return <Mention username="team" team={message.addressed_teams[0]} />;
    case 'color':
      return <Colour value={piece.value} />;
    case 'date': {
      const text = momentText(piece.format, piece.timestamp, format);
      return piece.url === undefined ? (
        <time dateTime={new Date(piece.timestamp * 1000).toISOString()}>{text}</time>
      ) : (
        <RichLink url={piece.url} text={text} />
      );
    }
    default:
      return null;
  }
}

/** Shows its host, where its text names another one. */
function RichLink({ url, text }: { url: string; text: string }) {
  const host = text === url ? undefined : hostBehind(url, text);
  return (
    <NamedLink link={{ kind: 'link', url, children: [{ kind: 'text', text }], ...(host && { host }) }}>
      {text}
    </NamedLink>
  );
}

function TeamName({ id }: { id: string }) {
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const team = memberships.find((one) => one.team.id === id)?.team;
  return <strong>{team ? `#${team.name}` : '#…'}</strong>;
}

function Colour({ value }: { value: string }) {
  const color = hexColor(value);
  return (
    <>
      {color && (
        <svg width="12" height="12" aria-hidden>
          <rect width="12" height="12" rx="3" fill={color} />
        </svg>
      )}{' '}
      <code>{value}</code>
    </>
  );
}
