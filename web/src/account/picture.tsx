import { useTranslations } from 'use-intl';
import { meQuery, queryClient } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { Card } from '../design/page.tsx';
import { PictureChoice } from '../design/picture-choice.tsx';

/** The user's picture. */
export function PictureCard({ me }: { me: SessionUser }) {
  const t = useTranslations('account.picture');
  const onChange = async () => {
    await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['person', me.id] });
  };
  return (
    <Card title={t('title')} lead={t('lead')}>
      <PictureChoice person={me} path="/v1/users/me/image" texts={t} onChange={onChange} />
    </Card>
  );
}
