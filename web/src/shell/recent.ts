import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keepPreference, readPreference } from '../storage/preferences.ts';

/** As many places are remembered; the palette shows those that are still there for the person. */
const MOST = 12;
const PLACE = /^\/(?:teams|direct)\/[0-9a-f,-]{36,}$/;

const nameOf = (user: string) => `recent.${user}`;

/** The addresses of the teams and people where the person was last, the latest first. */
export function recentPaths(user: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(readPreference(nameOf(user)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string' && PLACE.test(one)) : [];
  } catch {
    return [];
  }
}

export const forgetRecent = (user: string): void => keepPreference(nameOf(user), null);

/** Remembers where the person goes, in this browser alone. */
export function useRecentPaths(user: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (user === undefined || !PLACE.test(pathname)) return;
    const others = recentPaths(user).filter((one) => one !== pathname);
    keepPreference(nameOf(user), JSON.stringify([pathname, ...others].slice(0, MOST)));
  }, [user, pathname]);
}
