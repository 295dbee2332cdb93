import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { TokenFailure as Reason } from '../../../src/integration/oauth/token-error.ts';
import { Card, Table } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useApplication } from './application.tsx';
import { failuresQuery, type TokenFailure } from './queries.ts';

/** Why the application got no tokens, which the answer itself must not say. */
export function Failures() {
  const t = useTranslations('developers.failures');
  const { id } = useApplication();
  const query = useQuery(failuresQuery(id));
  return (
    <Card title={t('title')} lead={t('lead')}>
      <Loaded query={query} rows={3}>
        {(failures) =>
          failures.length === 0 ? (
            <Empty icon={KeyRound} title={t('none')}>
              <p>{t('noneText')}</p>
            </Empty>
          ) : (
            <Table label={t('kinds')} head={[t('time'), t('grant'), t('error'), t('reason'), t('count')]}>
              {failures.map((failure) => (
                <Row key={`${failure.grant_type} ${failure.reason}`} failure={failure} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Card>
  );
}

function Row({ failure }: { failure: TokenFailure }) {
  const t = useTranslations('developers.failures');
  const { grant_type: grant, error, reason, message, count, last_at } = failure;
  // A newer server may know more.
  const text = `reasons.${reason as Reason}` as const;
  return (
    <tr>
      <td>
        <Time at={last_at} />
      </td>
      <td>{grant === 'none' || grant === 'other' ? t(`grants.${grant}`) : <code>{grant}</code>}</td>
      <td>
        <code>{error}</code>
      </td>
      <td>{t.has(text) ? t(text) : message}</td>
      <td>{count}</td>
    </tr>
  );
}
