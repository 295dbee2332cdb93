import { randomBytes } from 'node:crypto';

const NAME = /^[0-9a-f]{2}\/[0-9a-f]{40}$/;

/** A name for a new file: random, in one of 256 folders, so that none of them grows too long to list. */
export function newFileName(): string {
  const name = randomBytes(20).toString('hex');
  return `${name.slice(0, 2)}/${name}`;
}

/** Whether the name has the format of {@link newFileName}. */
export function isFileName(name: string): boolean {
  return NAME.test(name);
}

/** @throws for a name that {@link newFileName} did not make, and that might lead elsewhere */
export function checkFileName(name: string): string {
  if (!isFileName(name)) throw new Error(`No name of a file: ${name}`);
  return name;
}
