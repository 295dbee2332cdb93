import { useTranslations } from 'use-intl';
import { Copyable } from '../design/copy.tsx';
import { Reveal } from './secret-reveal.tsx';

/** The key that signs the calls of a webhook. */
export function KeyReveal({ value, onStored }: { value: string; onStored: () => void }) {
  const t = useTranslations('developers.subscriptions');
  return (
    <Reveal title={t('keyTitle')} onStored={onStored}>
      <p>{t('keyText')}</p>
      <Copyable text={value} name={t('key')} />
    </Reveal>
  );
}
