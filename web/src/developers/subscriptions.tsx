import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Radio } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Subscription } from '../api/types.ts';
import { ButtonLink } from '../design/button.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { useApplication } from './application.tsx';
import styles from './developers.module.css';
import { subscriptionsQuery } from './queries.ts';
import { StateBadge, useKindNames, useWayText } from './subscription-state.tsx';

/** The events that an application asks for. */
export function Subscriptions() {
  const t = useTranslations('developers.subscriptions');
  const { id } = useApplication();
  const query = useQuery(subscriptionsQuery(id));
  return (
    <>
      <p className={styles.soft}>{t('lead')}</p>
      <div>
        <ButtonLink
          look="primary"
          to="/developers/$application/subscriptions/new"
          params={{ application: id }}
        >
          <Plus size={16} aria-hidden />
          {t('subscribe')}
        </ButtonLink>
      </div>
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={Radio} title={t('none')}>
              <p>{t('noneText')}</p>
            </Empty>
          ) : (
            <List label={t('title')}>
              {all.map((one) => (
                <Row key={one.id} subscription={one} />
              ))}
            </List>
          )
        }
      </Loaded>
    </>
  );
}

function Row({ subscription }: { subscription: Subscription }) {
  const { summary } = useKindNames();
  const wayText = useWayText();
  const { application, id } = subscription;
  return (
    <ListRow
      title={
        <Link
          to="/developers/$application/subscriptions/$subscription"
          params={{ application, subscription: id }}
        >
          {summary(subscription)}
        </Link>
      }
      detail={wayText(subscription)}
      aside={<StateBadge subscription={subscription} />}
    />
  );
}
