import { useNavigate } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { tell } from '../../design/toast.tsx';
import { showSince } from '../state/lists.ts';

/** Opens a team's stream at the first message of a day. */
export function JumpToDate({ team }: { team: string }) {
  const t = useTranslations('members.toDate');
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const send = async ({ day = '' }: Record<string, string>) => {
    // The day begins where the reader is.
    const at = await showSince({ team }, new Date(`${day}T00:00`));
    setOpen(false);
    if (at === undefined) return tell(t('none'));
    await navigate({ to: '/teams/$team', params: { team }, search: { at } });
  };
  return (
    <>
      <IconButton small label={t('label')} onClick={() => setOpen(true)}>
        <CalendarDays size={16} aria-hidden />
      </IconButton>
      <Dialog open={open} onClose={() => setOpen(false)} title={t('label')} description={t('lead')}>
        <Form send={send} submit={t('submit')}>
          {({ errorOf }) => (
            <TextField
              label={t('day')}
              name="day"
              type="date"
              required
              min="1970-01-02"
              max={today()}
              error={errorOf('at')}
            />
          )}
        </Form>
      </Dialog>
    </>
  );
}

/** As a field for dates has it, where the reader is. */
function today(): string {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
