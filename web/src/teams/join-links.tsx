import { useInfiniteQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { call, callOne } from '../api/client.ts';
import { ADMIN, type JoinLink } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { Select, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { List, ListRow } from '../design/list.tsx';
import { LocalLinks } from '../design/local-links.tsx';
import { Badge, Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { addressesIn } from './inviting.ts';
import { joinLinksQuery } from './queries.ts';
import styles from './teams.module.css';

/** The links by which many can join a team, for its admins. */
export function JoinLinks({ team }: { team: string }) {
  const t = useTranslations('teams.joinLinks');
  const query = useInfiniteQuery(joinLinksQuery(team));
  const [making, setMaking] = useState(false);
  const [withdrawn, setWithdrawn] = useState<JoinLink>();
  const links = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const act = async () => {
    await call(`/v1/teams/${team}/join_links/${withdrawn?.id}`, { method: 'DELETE' });
    tell(t('withdrawn'));
    await query.refetch();
  };
  const onMade = () => {
    setMaking(false);
    void query.refetch();
  };
  return (
    <Card title={t('title')} lead={t('lead')}>
      <div className={styles.links}>
        {links.length > 0 && (
          <List label={t('title')}>
            {links.map((link) => (
              <JoinLinkRow key={link.id} link={link} withdraw={() => setWithdrawn(link)} />
            ))}
          </List>
        )}
        <LocalLinks links={links} text={t('local')} />
        <div className={styles.actions}>
          {query.hasNextPage && (
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('more')}
            </Button>
          )}
          <Button onClick={() => setMaking(true)}>{t('make')}</Button>
        </div>
      </div>
      <Dialog open={making} onClose={() => setMaking(false)} title={t('make')} description={t('makeLead')}>
        <JoinLinkForm team={team} onDone={onMade} />
      </Dialog>
      <Confirm
        open={withdrawn !== undefined}
        onClose={() => setWithdrawn(undefined)}
        title={t('withdrawTitle')}
        description={t('withdrawText')}
        action={t('withdraw')}
        act={act}
      />
    </Card>
  );
}

function JoinLinkRow({ link, withdraw }: { link: JoinLink; withdraw: () => void }) {
  const t = useTranslations('teams');
  const format = useFormatter();
  const { url, uses, max_uses, expires_at, domains, membership_type } = link;
  const used = max_uses === null ? t('joinLinks.used', { uses }) : t('joinLinks.usedOf', { uses, max_uses });
  const until =
    expires_at === null
      ? t('joinLinks.endless')
      : t('joinLinks.until', { date: format.dateTime(expires_at * 1000, { dateStyle: 'medium' }) });
  const made = format.dateTime(link.created_at * 1000, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <ListRow
      icon={<Link2 size={18} aria-hidden />}
      title={[used, until].join(' · ')}
      detail={domains.length > 0 && t('joinLinks.domains', { domains: format.list(domains) })}
      aside={<Badge>{t(membership_type === ADMIN ? 'admin' : 'member')}</Badge>}
      actions={
        <Button small onClick={withdraw} aria-label={t('joinLinks.withdrawFor', { date: made })}>
          {t('joinLinks.withdraw')}
        </Button>
      }
    >
      {url !== null && <Copyable text={url} name={t('joinLinks.linkFrom', { date: made })} />}
    </ListRow>
  );
}

const DAY = 86_400;

function JoinLinkForm({ team, onDone }: { team: string; onDone: () => void }) {
  const t = useTranslations('teams');
  const [role, setRole] = useState('2');
  const isAdmin = Number(role) === ADMIN;
  const send = ({ days = '', max_uses = '', domains = '' }: Record<string, string>) =>
    callOne<JoinLink>(`/v1/teams/${team}/join_links`, {
      method: 'POST',
      body: {
        expires_at: days === '' ? null : Date.now() / 1000 + Number(days) * DAY,
        max_uses: isAdmin ? 1 : max_uses === '' ? null : Number(max_uses),
        domains: addressesIn(domains),
        membership_type: Number(role),
      },
    });
  return (
    <Form send={send} onDone={onDone} submit={t('joinLinks.submit')}>
      {({ errorOf }) => (
        <>
          <Select label={t('joinLinks.ends')} name="days" defaultValue="30" error={errorOf('expires_at')}>
            {[1, 7, 30].map((days) => (
              <option key={days} value={days}>
                {t('joinLinks.days', { days })}
              </option>
            ))}
            {!isAdmin && <option value="">{t('joinLinks.never')}</option>}
          </Select>
          {!isAdmin && (
            <TextField
              label={t('joinLinks.maxUses')}
              name="max_uses"
              type="number"
              min={1}
              max={100_000}
              inputMode="numeric"
              error={errorOf('max_uses')}
            />
          )}
          <TextField
            label={t('joinLinks.forDomains')}
            hint={t('joinLinks.forDomainsHint')}
            name="domains"
            placeholder="example.org"
            spellCheck={false}
            autoComplete="off"
            error={errorOf('domains')}
          />
          <Select
            label={t('invite.role')}
            name="role"
            value={role}
            onChange={(event) => setRole(event.target.value)}
            hint={isAdmin ? t('joinLinks.adminHint') : undefined}
          >
            <option value="2">{t('member')}</option>
            <option value="1">{t('admin')}</option>
          </Select>
        </>
      )}
    </Form>
  );
}
