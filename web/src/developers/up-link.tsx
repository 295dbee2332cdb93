import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { AnchorHTMLAttributes } from 'react';
import styles from './developers.module.css';

/** The way up, before a title. @param props.label where it leads, for those who do not see the arrow */
export const UpLink = createLink(
  ({ label, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { label: string }) => (
    <a {...rest} title={label} className={styles.up}>
      <ArrowLeft size={18} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </a>
  ),
);
