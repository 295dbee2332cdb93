import { useQuery } from '@tanstack/react-query';
import { shortcutsQuery } from '../../api/offered.ts';
import type { Message } from '../../api/types.ts';
import { ApplicationIcon } from '../../design/avatar.tsx';
import { MenuItem, MenuSeparator, MenuTitled } from '../../design/menu.tsx';
import { chooseShortcut } from '../state/asking.ts';
import { isDeleted } from '../state/message-list.ts';

/** What the applications of a team offer for one of its messages. */
export function ShortcutItems({ message }: { message: Message }) {
  const [team] = message.addressed_teams;
  const isOffered = team !== undefined && message.sidebar === undefined && !isDeleted(message);
  const { data = [] } = useQuery({ ...shortcutsQuery(team ?? ''), enabled: isOffered });
  if (!isOffered) return null;
  const offered = data.filter(({ on }) => on === 'message');
  const groups = [...Map.groupBy(offered, ({ application }) => application.id).values()];
  return groups.map((ofOne) => {
    const [{ application } = {}] = ofOne;
    return (
      application && (
        <div key={application.id}>
          <MenuSeparator />
          <MenuTitled label={<bdi>{application.name}</bdi>}>
            {ofOne.map((one) => (
              <MenuItem
                key={one.action_id}
                typed={one.name}
                icon={<ApplicationIcon application={application} size="tiny" />}
                onSelect={() => chooseShortcut(team, one, message.id)}
              >
                <bdi>{one.name}</bdi>
              </MenuItem>
            ))}
          </MenuTitled>
        </div>
      )
    );
  });
}
