import { type ReactNode, useEffect, useState } from 'react';

/** A longer code stays as it is. */
const MOST_CHARACTERS = 8000;

/** @returns a code in the colours of the language that it names; undefined until it has them, and where it gets none */
export function useColoured(text: string, language: string | undefined): ReactNode | undefined {
  const [coloured, setColoured] = useState<{ readonly of: string; readonly shown: ReactNode }>();
  useEffect(() => {
    if (language === undefined || language.includes(' ') || text.length > MOST_CHARACTERS) return;
    let isCurrent = true;
    const colour = async () => {
      const { colouredCode } = await import('./coloured-code.tsx');
      const shown = await colouredCode({ text, language });
      if (isCurrent) setColoured({ of: text, shown });
    };
    // Offline, the colours may be missing.
    colour().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  return coloured?.of === text ? coloured.shown : undefined;
}
