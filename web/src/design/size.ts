import { useFormatter } from 'use-intl';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** @returns a function that formats a size, as 1.4 MB */
export function useSize(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
    const options = { style: 'unit', unitDisplay: 'short', maximumFractionDigits: step > 1 ? 1 : 0 } as const;
    return format.number(bytes / 1000 ** step, { ...options, unit: UNITS[step] as string });
  };
}
