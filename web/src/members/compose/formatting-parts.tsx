import { Type } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../design/button.tsx';
import { onDemand } from '../../design/on-demand.tsx';
import type { Formatting } from './use-formatting.ts';

const FormatTools = onDemand(async () => (await import('./format-tools.tsx')).FormatTools);

/** The switch for the buttons, and the buttons while they are shown. */
export function FormattingTools({ formatting }: { formatting: Formatting }) {
  const t = useTranslations('members.format');
  const { shown, toggle } = formatting;
  return (
    <>
      <IconButton
        small
        label={t('title')}
        aria-pressed={shown}
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
      >
        <Type size={18} aria-hidden />
      </IconButton>
      {shown && <FormatTools formatting={formatting} />}
    </>
  );
}

export const Preview = onDemand(async () => (await import('./preview.tsx')).Preview);
