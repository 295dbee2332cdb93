import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

function Unmarked({ 'aria-current': _, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...rest} />;
}

/** A further link to a place of the navigation, in which one place is marked as the current one. */
export const UnmarkedLink = createLink(Unmarked);
