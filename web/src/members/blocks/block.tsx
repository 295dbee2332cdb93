import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Block, BlockOf } from '../../api/types.ts';
import { ActStatus } from './act-status.tsx';
import styles from './blocks.module.css';
import { Card, Carousel } from './card.tsx';
import { Container } from './container.tsx';
import { BlockIdProvider } from './context.ts';
import { ElementOf } from './element.tsx';
import { Fault } from './fault.tsx';
import { Input } from './input.tsx';
import { IconPicture, Picture } from './picture.tsx';
import { RichText } from './rich-text.tsx';
import { DataTable, PlainTable } from './tables.tsx';
import { Formatted, plainOf, Words } from './words.tsx';

/** Blocks, below each other. Their ids are their keys: an update keeps the focus. */
export function BlockList({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block) => (
    <BlockIdProvider key={block.block_id} value={block.block_id ?? ''}>
      {shown(block)}
    </BlockIdProvider>
  ));
}

function shown(block: Block): ReactNode {
  switch (block.type) {
    case 'section':
      return <Section block={block} />;
    case 'header':
      return (
        <h2 className={styles.header} dir="auto">
          {plainOf(block.text)}
        </h2>
      );
    case 'divider':
      return <hr className={styles.divider} />;
    case 'context':
      return <Context block={block} />;
    case 'image':
      return <Picture image={block} {...(block.title && { title: plainOf(block.title) })} />;
    case 'actions':
    case 'context_actions':
      return <Actions block={block} />;
    case 'input':
      return <Input block={block} />;
    case 'markdown':
      return <Formatted text={block.text} />;
    case 'rich_text':
      return <RichText text={block} />;
    case 'table':
      return <PlainTable block={block} />;
    case 'data_table':
      return <DataTable block={block} />;
    case 'card':
      return <Card card={block} />;
    case 'carousel':
      return <Carousel block={block} />;
    case 'alert':
      return <Alert block={block} />;
    case 'container':
      return (
        <Container block={block}>
          <BlockList blocks={block.child_blocks} />
        </Container>
      );
  }
}

function Section({ block: { text, fields, accessory } }: { block: BlockOf<'section'> }) {
  const isPicture = accessory?.type === 'image';
  return (
    <div>
      <div className={styles.section} data-accessory={accessory && (isPicture ? 'picture' : 'control')}>
        <div className={styles.said}>
          {text && <Words text={text} />}
          {fields && (
            <div className={styles.fields}>
              {fields.map((field, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else, and hold no state
                <Words key={at} text={field} />
              ))}
            </div>
          )}
        </div>
        {accessory && (
          <div className={styles.accessory}>
            <ElementOf element={accessory} />
          </div>
        )}
      </div>
      <Fault />
      <ActStatus />
    </div>
  );
}

function Context({ block }: { block: BlockOf<'context'> }) {
  return (
    <div className={styles.context}>
      {block.elements.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Fragment key={at}>
          {one.type === 'image' ? <IconPicture image={one} /> : <Words text={one} />}
        </Fragment>
      ))}
    </div>
  );
}

function Actions({ block }: { block: BlockOf<'actions'> | BlockOf<'context_actions'> }) {
  return (
    <div>
      <div className={styles.actions}>
        {block.elements.map((element) => (
          <ElementOf key={element.action_id} element={element} />
        ))}
      </div>
      <Fault />
      <ActStatus />
    </div>
  );
}

const ICONS = {
  default: Info,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
  success: CircleCheck,
} as const;

function Alert({ block: { text, level = 'default' } }: { block: BlockOf<'alert'> }) {
  const t = useTranslations('blocks.levels');
  const Icon = ICONS[level] ?? Info;
  return (
    <div className={styles.alert} data-level={level} role="note">
      <Icon size={18} aria-hidden />
      <div className={styles.said}>
        <span className="visually-hidden">{t(level in ICONS ? level : 'default')}: </span>
        <Words text={text} />
      </div>
    </div>
  );
}
