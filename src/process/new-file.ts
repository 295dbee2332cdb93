import { existsSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from './refusal.ts';

/** @throws Refusal unless a file can be made under this name */
export function expectNewFile(file: string): void {
  if (file === '') throw new Refusal('The name of the file is empty.');
  if (existsSync(file)) throw new Refusal(`${file} is there already; choose another name.`);
  if (lstatSync(file, { throwIfNoEntry: false }))
    throw new Refusal(`${file} is a link that leads nowhere; choose another name.`);
  if (!existsSync(dirname(file))) throw new Refusal(`There is no folder ${dirname(file)}.`);
}
