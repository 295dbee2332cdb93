import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Unreachable } from '../../api/client.ts';
import { onLive } from '../../api/live.ts';
import { membershipsQuery, meQuery } from '../../api/queries.ts';
import { ADMIN, type SessionUser } from '../../api/types.ts';
import { useFailureText } from '../../text/failure.ts';
import type { MessageView } from '../state/view-context.tsx';

/** The state that the messages of a view share. @param open opens a conversation */
export function useView(open: MessageView['open']): MessageView {
  const { data: me } = useSuspenseQuery(meQuery);
  const { data: memberships } = useQuery(membershipsQuery);
  const failureText = useFailureText();
  const [editing, setEditing] = useState<string>();
  const [failure, setFailure] = useState<MessageView['failure']>();
  const latest = useRef({ open, failureText });
  latest.current = { open, failureText };
  useEffect(() => onLive('ready', () => setFailure((now) => (now?.passes ? undefined : now))), []);
  return useMemo(() => {
    const admins = new Set(
      memberships?.filter((one) => one.membership_type === ADMIN).map(({ team }) => team.id),
    );
    return {
      me: me as SessionUser,
      isAdmin: (team) => team !== undefined && admins.has(team),
      open: (message, write, sidebar) => latest.current.open(message, write, sidebar),
      editing,
      setEditing,
      endEditing: (id) => {
        setEditing((now) => (now === id ? undefined : now));
        setFailure((now) => (now?.id === id ? undefined : now));
      },
      failure,
      run: (message, work) => {
        setFailure(undefined);
        work().catch((error: unknown) =>
          setFailure({
            id: message.id,
            text: latest.current.failureText(error),
            passes: error instanceof Unreachable,
          }),
        );
      },
    };
  }, [me, memberships, editing, failure]);
}
