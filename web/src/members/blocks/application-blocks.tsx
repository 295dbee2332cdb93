import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Block, Message } from '../../api/types.ts';
import { Notice } from '../../design/notice.tsx';
import { type Act, press, stateOf } from './acting.ts';
import { BlockList } from './block.tsx';
import styles from './blocks.module.css';
import { type BlocksView, BlocksViewProvider } from './context.ts';
import { areKnown, withIds } from './ids.ts';
import type { Surface } from './surface.ts';

/** Whose blocks they are, and where. */
interface Shown {
  readonly application: BlocksView['application'];
  readonly team: string;
  readonly blocks: readonly unknown[];
  readonly pictures?: Message['pictures'];
}

/** Blocks of an application that stand in no message. A frame around them has to say whose they are. */
export function ApplicationBlocks(props: {
  surface: Surface;
  shown: Shown;
  /** Of a form, by the ids of blocks. */
  faults?: Readonly<Record<string, string>>;
}) {
  const { surface, shown, faults } = props;
  const t = useTranslations('blocks');
  const { application, team, pictures } = shown;
  const blocks = useKnown(shown.blocks);
  if (!blocks) return <Notice kind="warning">{t('tooNew')}</Notice>;
  const view: BlocksView = {
    ...{ surface, blocks, application, pictures, faults },
    message: { mentions: [], via_app: { ...application, url: '' }, addressed_teams: [team] },
    act: (act: Act) => press(surface, act, () => stateOf(surface, blocks)),
  };
  return (
    <BlocksViewProvider value={view}>
      <div className={styles.framed} data-blocks>
        <BlockList blocks={blocks} />
      </div>
    </BlocksViewProvider>
  );
}

/** @returns blocks whose parts all have an id; undefined where a newer server sent something that is not known here */
export const useKnown = (given: readonly unknown[]): readonly Block[] | undefined =>
  useMemo(() => (areKnown(given) ? withIds(given as readonly Block[]) : undefined), [given]);
