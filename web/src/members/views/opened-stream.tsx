import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { queryClient } from '../../api/queries.ts';
import { Loaded, Loading } from '../../design/states.tsx';
import type { ComposerHandle } from '../compose/composer.tsx';
import { type ListFilter, listQuery, showNewest } from '../state/lists.ts';
import { sameTarget, type Target, useUnsent } from '../state/outbox.ts';
import styles from './frame.module.css';
import type { Mover, StreamHandle } from './mover.ts';
import { Stream, type Streamed } from './stream.tsx';
import { useAround } from './use-around.ts';
import { useEditLast } from './use-edit-last.ts';

/** Of a direct conversation. */
export interface BetweenProps {
  /** Its name in addresses. */
  readonly of: string;
  readonly at: string | undefined;
  readonly mover: RefObject<Mover | null>;
  /** Whether nothing else in the view takes the focus. */
  readonly inviting: boolean;
}

/** A longer list, or one that does not reach the end, is dropped when the stream is left. */
const KEPT = 500;

/** The messages of a team or of a conversation while they are open, and what writing to it needs. */
export type OpenedStream = ReturnType<typeof useOpenedStream>;

/**
 * @param filter the same object while the place is the same
 * @param at the message that the URL names
 * @param fits what of the messages that the server does not have yet is shown
 */
export function useOpenedStream(
  filter: ListFilter,
  target: Target,
  at: string | undefined,
  fits = (one: Target) => sameTarget(one, target),
) {
  const query = useQuery(listQuery(filter));
  const arrived = useAround(filter, at, query.data);
  const composer = useRef<ComposerHandle>(null);
  const stream = useRef<StreamHandle>(null);
  const unsent = useUnsent((entry) => fits(entry.target));
  useEffect(
    () => () => {
      const { queryKey } = listQuery(filter);
      const list = queryClient.getQueryData(queryKey);
      if (list && (list.newer !== null || list.ids.length > KEPT)) queryClient.removeQueries({ queryKey });
    },
    [filter],
  );
  const editLast = useEditLast(query.data, unsent);
  return { filter, at, query, arrived, unsent, composer, stream, editLast };
}

/** @param props.empty stands in the place of messages before the first one */
export function OpenedStreamBody(props: {
  opened: OpenedStream;
  of: Streamed;
  unread: number;
  mover: RefObject<Mover | null>;
  empty: ReactNode;
}) {
  const { opened, of, unread, mover, empty } = props;
  const { filter, at, query, arrived, unsent, composer, stream } = opened;
  return (
    <div className={styles.body}>
      {query.data && arrived ? (
        query.data.ids.length + unsent.length + (of.answers?.length ?? 0) === 0 ? (
          empty
        ) : (
          <Stream
            list={query.data}
            queryKey={listQuery(filter).queryKey}
            of={of}
            unread={unread}
            unsent={unsent}
            at={at}
            mover={mover}
            handle={stream}
            takeBack={(entry) => composer.current?.takeBack(entry)}
            showNewest={() => showNewest(filter)}
          />
        )
      ) : query.error ? (
        <Loaded query={query}>{() => null}</Loaded>
      ) : (
        <div className={styles.scroll}>
          <Loading rows={8} />
        </div>
      )}
    </div>
  );
}
