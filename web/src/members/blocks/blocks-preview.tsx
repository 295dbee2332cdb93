import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import { membershipsQuery } from '../../api/queries.ts';
import type { Block } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { type Act, stateOf } from './acting.ts';
import { BlockList } from './block.tsx';
import styles from './blocks.module.css';
import { type BlocksView, BlocksViewProvider } from './context.ts';
import { withIds } from './ids.ts';
import { Frame } from './message-blocks.tsx';
import type { States } from './values.ts';

/** What an application would be told. */
export type Pressed = Act & { readonly state: States };

/**
 * Blocks as a message has them, or a form or a home. Nothing that is pressed in them goes anywhere.
 * @param props.around puts something else than a message's frame around them; `state` tells what they hold
 */
export function BlocksPreview(props: {
  blocks: readonly Block[];
  application: BlocksView['application'];
  onPress: (pressed: Pressed) => void;
  around?: ((list: ReactNode, state: () => States) => ReactNode) | undefined;
}) {
  const { blocks: given, application, onPress, around } = props;
  const id = useId();
  // Of no server: nothing in it is sent.
  const surface = { id, path: '' };
  const blocks = useMemo(() => withIds(given), [given]);
  const { data: [membership] = [] } = useQuery(membershipsQuery);
  const view: BlocksView = {
    ...{ surface, blocks, application },
    pictures: undefined,
    message: {
      mentions: [],
      via_app: null,
      addressed_teams: membership ? [membership.team.id] : [],
    },
    act: (act) => onPress({ ...act, state: stateOf(surface, blocks) }),
  };
  return (
    <BlocksViewProvider value={view}>
      {around ? (
        around(
          <div className={styles.framed} data-blocks>
            <BlockList blocks={blocks} />
          </div>,
          () => stateOf(surface, blocks),
        )
      ) : (
        <Frame name={application.name} icon={<ApplicationIcon application={application} size="tiny" />}>
          <BlockList blocks={blocks} />
        </Frame>
      )}
    </BlocksViewProvider>
  );
}
