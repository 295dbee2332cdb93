import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { meQuery, personQuery } from '../../api/queries.ts';
import type { DirectConversation } from '../../api/types.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { useTitle } from '../../design/page.tsx';
import { PeopleField } from '../../design/people-field.tsx';
import { nameOf } from '../../design/person.tsx';
import { Loaded } from '../../design/states.tsx';
import { View, ViewHead } from '../../design/view.tsx';
import { TeamFrame } from '../../teams/team-frame.tsx';
import { ConversationFace, useNameOfConversation } from '../message/people.tsx';
import { conversationQuery } from '../state/direct.ts';
import type { FileFilter } from '../state/files.ts';
import { FileList, NoFiles } from './file-list.tsx';

/** The files of a team. What narrows them is in the address. */
export function FilesOfTeam() {
  const { team } = useParams({ from: '/signed-in/teams/$team/files' });
  const filter = useSearch({ from: '/signed-in/teams/$team/files' });
  const navigate = useNavigate({ from: '/teams/$team/files' });
  const narrow = (part: FileFilter) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as never, replace: true });
  return (
    <TeamFrame team={team} part="files">
      {() => (
        <FileList
          of={{ team }}
          filter={filter}
          narrow={narrow}
          person={<OfTeam team={team} user={filter.user} choose={(user) => narrow({ user })} />}
          search={(message, root) => ({
            to: '/teams/$team',
            params: { team },
            search: root === undefined ? { at: message } : { at: root, open: root, reply: message },
          })}
        />
      )}
    </TeamFrame>
  );
}

function OfTeam(props: { team: string; user: string | undefined; choose: (user: string) => void }) {
  const { team, user, choose } = props;
  const t = useTranslations('members.fileList');
  const { data: person } = useQuery({ ...personQuery(user ?? ''), enabled: user !== undefined });
  const name = person ? nameOf(person) : t('somebody');
  const chosen = user === undefined ? [] : [{ kind: 'person' as const, id: user, name }];
  return (
    <PeopleField
      label={t('by')}
      chosen={chosen}
      onChange={(people) => choose(people.at(-1)?.id ?? '')}
      within={team}
    />
  );
}

/** The files that the reader and the people of the address sent each other. */
export function FilesOfConversation() {
  const { people } = useParams({ from: '/signed-in/direct/$people/files' });
  const query = useQuery(conversationQuery(people));
  return (
    <Loaded query={query}>
      {(found: DirectConversation | null) =>
        found ? <OfConversation people={people} found={found} /> : <NoFiles />
      }
    </Loaded>
  );
}

function OfConversation({ people, found }: { people: string; found: DirectConversation }) {
  const t = useTranslations('members.fileList');
  const { data: me } = useSuspenseQuery(meQuery);
  const filter = useSearch({ from: '/signed-in/direct/$people/files' });
  const navigate = useNavigate({ from: '/direct/$people/files' });
  const name = useNameOfConversation(me?.id ?? '')(found);
  useTitle(t('of', { name }));
  const narrow = (part: FileFilter) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as never, replace: true });
  const everybody = me ? [me, ...found.users.filter(({ id }) => id !== me.id)] : found.users;
  return (
    <View
      head={
        <ViewHead title={name} icon={<ConversationFace conversation={found} />} about={t('title')}>
          <ButtonLink to="/direct/$people" params={{ people }} small look="quiet">
            {t('toConversation')}
          </ButtonLink>
        </ViewHead>
      }
    >
      <FileList
        of={{ conversation: found.id }}
        filter={filter}
        narrow={narrow}
        person={
          <Select
            label={t('by')}
            value={filter.user ?? ''}
            onChange={({ target }) => narrow({ user: target.value })}
          >
            <option value="">{t('anybody')}</option>
            {everybody.map((person) => (
              <option key={person.id} value={person.id}>
                {nameOf(person)}
              </option>
            ))}
          </Select>
        }
        search={(message, root) => ({
          to: '/direct/$people',
          params: { people },
          search: root === undefined ? { at: message } : { at: root, open: root, reply: message },
        })}
      />
    </View>
  );
}
