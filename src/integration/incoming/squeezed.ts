/** A name in lower case and without signs, so that `alert_name` is `alertName`. */
export const squeezed = (key: string): string => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
