import { useTranslations } from 'use-intl';
import { Form } from '../design/form.tsx';
import { retold } from '../text/failure.ts';
import { AccountFields } from './account-fields.tsx';
import { signUp } from './session.ts';

interface SignUpFormProps {
  readonly submit: string;
  readonly onDone: () => void;
  /** The invited address. */
  readonly email?: string;
  /** The token of an invitation: its team is joined. */
  readonly invitation?: string;
  /** The token of a join link: its team is joined. */
  readonly joinLink?: string;
  /** Of the link for the first account of a server. */
  readonly setUpToken?: string;
}

/** Makes an account and signs in to it. */
export function SignUpForm({
  submit,
  onDone,
  email,
  invitation,
  joinLink,
  setUpToken = '',
}: SignUpFormProps) {
  const t = useTranslations('entry');
  const send = async (values: Record<string, string>) => {
    try {
      return await signUp({
        ...values,
        ...(invitation !== undefined && { invitation }),
        ...(joinLink !== undefined && { join_link: joinLink }),
        ...(setUpToken !== '' && { setup_token: setUpToken }),
      });
    } catch (error) {
      throw retold(error, {
        email: t('emailTaken'),
        password: t('passwordWeak'),
        // The first account was made, or the invitation used, since this page was opened.
        invitation_needed: t('signIn.invited'),
        other_domain: t('joinLink.otherDomain'),
        unconfirmed_address: t('joinLink.noMail'),
        registration_closed: t('signUp.closed'),
        setup_link_needed: t('setUp.wrongLink'),
      });
    }
  };
  return (
    <Form send={send} onDone={onDone} submit={submit}>
      {({ errorOf }) => <AccountFields errorOf={errorOf} {...(email !== undefined && { email })} />}
    </Form>
  );
}
