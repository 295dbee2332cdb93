import { hash } from 'node:crypto';

/** A digest of ids in their order, made one by one. */
export const chained = (before: string, id: string) => hash('md5', before + id, 'hex');
