import { useEffect, useState } from 'react';

/** The kinds of pictures that people choose, as a file field takes them. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif';

/** An object URL of the chosen file, revoked when it is no longer shown. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
