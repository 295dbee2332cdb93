import { useTranslations } from 'use-intl';
import { ApiError, Unreachable } from '../api/client.ts';
import { type BrokenRule, ruleOf } from './rules.ts';

/** @returns a function that says what went wrong, and what to do, in the reader's language */
export function useFailureText(): (error: unknown) => string {
  const t = useTranslations('common.errors');
  const text = useRefusalText();
  return (error) => {
    if (error instanceof Unreachable) return t('unreachable');
    if (!(error instanceof ApiError)) return t('server');
    return text(error, error.reason, true);
  };
}

/**
 * @returns a function that says what is wrong with one field of a refused request; `named` names the field, for a reader who
 * does not see it
 */
export function useFieldText(): (error: unknown, field: string, named?: boolean) => string | undefined {
  const text = useRefusalText();
  return (error, field, named = false) =>
    error instanceof ApiError && field in error.fields ? text(error, field, named) : undefined;
}

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** @returns a function that says what is wrong with the value of a control */
export function useFaultText(): (control: Control) => string {
  const t = useTranslations('errors');
  const ruleText = useRuleText();
  return (control) => {
    const { validity, title, type } = control;
    const { minLength, maxLength } = control as HTMLInputElement;
    if (validity.valueMissing) return ruleText({ rule: 'required', values: {} });
    if (validity.tooShort) return ruleText({ rule: 'minLength', values: { limit: minLength } });
    if (validity.tooLong) return ruleText({ rule: 'maxLength', values: { limit: maxLength } });
    if (type === 'email') return t('fields.email');
    if (type === 'url') return t('fields.base_url');
    return title || t('codes.4002');
  };
}

/** @returns a function that says what is wrong with a value, by a sentence of the server about it */
export function useValueText(): (sentence: string) => string {
  const t = useTranslations('errors');
  const ruleText = useRuleText();
  return (sentence) => {
    const broken = ruleOf(sentence);
    return broken ? ruleText(broken) : t('codes.4002');
  };
}

/** @returns a function that says what a value must be */
function useRuleText(): (broken: BrokenRule) => string {
  const t = useTranslations('errors.rules');
  return ({ rule, values }) => t(rule, values);
}

/** The code of a wrong field (docs/errors.md). */
const WRONG_FIELD = 4002;

/** By the reason if that has a text, else by the code. Our own words come before both. */
function useRefusalText(): (error: ApiError, reason: string, named: boolean) => string {
  const t = useTranslations('errors');
  const ruleText = useRuleText();
  const find = (key: string, values = {}) =>
    t.has(key as never) ? t(key as never, values as never) : undefined;
  return (error, reason, named) => {
    const { code, status, fields } = error;
    if (error.told.has(reason)) return fields[reason] ?? '';
    if (code === WRONG_FIELD && reason !== '') {
      // `attachments.files.0` is of `files`.
      const field = reason.split('.').findLast((part) => !/^\d+$/.test(part));
      const own = find(`fields.${field}`);
      if (own !== undefined) return own;
      const message = fields[reason] ?? '';
      const broken = ruleOf(message);
      if (!broken) return t('fields.other', { field: reason, message });
      const text = ruleText(broken);
      return named ? t('named', { field: reason, text }) : text;
    }
    const seconds = error.retryAfter ?? 60;
    // A proxy answers without a code.
    return (
      (isWord(reason) ? find(`reasons.${code}.${reason}`) : undefined) ??
      find(`codes.${code}`, { seconds }) ??
      find(`codes.${status}0`, { seconds }) ??
      t(status >= 500 ? 'codes.5000' : 'codes.4000')
    );
  };
}

/** A reason that names a part of the request could be a path in the texts. */
const isWord = (reason: string) => /^[a-z_]+$/.test(reason);

/**
 * The same refusal in our own words, which know the form.
 * @param texts by the field or reason that the server names
 */
export function retold(error: unknown, texts: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ApiError)) return error;
  const problems = Object.entries(error.fields).map(([reason, message]) => ({
    code: error.code,
    reason,
    message: texts[reason] ?? message,
    told: reason in texts,
  }));
  return new ApiError(error.status, problems, error.retryAfter);
}
