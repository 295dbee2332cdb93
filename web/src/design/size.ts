import { useFormatter } from 'use-intl';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const STEP = 1024;

/** @returns a function that formats a size, as 1.4 MB; in steps of 1024, as limits are set */
export function useSize(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const step = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
    // The short form of a byte has no plural: "8 byte".
    const unitDisplay = step === 0 ? 'long' : 'short';
    const options = { style: 'unit', unitDisplay, maximumFractionDigits: step > 1 ? 1 : 0 } as const;
    return format.number(bytes / STEP ** step, { ...options, unit: UNITS[step] as string });
  };
}
