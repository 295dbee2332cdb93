import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { type OpenAPI3 } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { document, documentedOperations, type Media, problemOf, resolve } from '../support/openapi.ts';

const root = new URL('../..', import.meta.url).pathname;
const operations = documentedOperations();

/** Answers and bodies of which there is something to show: no files, pages or streams. */
const shown = (content: Readonly<Record<string, Media>> = {}) =>
  Object.entries(content).filter(([type]) => /json$|urlencoded$/.test(type));

describe('openapi.json', () => {
  it('names each operation once, in words of its method and path', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(operations.length);
    for (const id of ids) expect(id).toMatch(/^(get|post|put|patch|delete)([A-Z][a-z0-9]*)+$/);
    expect(ids).toEqual(
      expect.arrayContaining(['postMessages', 'getMessage', 'deleteTeamUser', 'getUsersMe']),
    );
  });

  it('tells of each operation what it does and who may call it', () => {
    for (const { method, path, summary, description, security } of operations) {
      const where = `${method} ${path}`;
      expect(summary?.length ?? 0, where).toBeGreaterThan(5);
      expect(description, where).toMatch(/Access: \S+/);
      expect(Array.isArray(security), where).toBe(true);
    }
    const open = operations.filter(({ security = [] }) => security.length === 0);
    expect(open.every(({ description = '' }) => description.includes('without authentication'))).toBe(true);
    expect(open.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['postUsers', 'getServer']),
    );
    expect(open.map(({ operationId }) => operationId)).not.toContain('postOauth2Token');
  });

  it('shows an example of each body and each answer, and each fits its schema', () => {
    let examples = 0;
    for (const { method, path, requestBody, responses } of operations) {
      const contents = [requestBody?.content, responses['200']?.content];
      for (const [type, { schema, example }] of contents.flatMap(shown)) {
        expect(example, `${method} ${path} ${type}`).toBeDefined();
        expect(problemOf(schema, example), `${method} ${path} ${type}`).toBeUndefined();
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThan(operations.length);
  });

  it('has references that lead somewhere, and says nothing of errors twice', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '');
    expect(references.length).toBeGreaterThan(500);
    for (const reference of references) resolve(document, reference);
    const inline = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status, answer]) => Number(status) >= 400 && !('$ref' in answer))
      .map(([, answer]) => JSON.stringify(answer));
    expect(new Set(inline).size).toBe(inline.length);
  });

  it('describes the way to an application as the 303 that it is', () => {
    const open = operations.find(({ operationId }) => operationId === 'getApplicationOpen');
    expect(open?.responses['303']).toMatchObject({ headers: { Location: { schema: { type: 'string' } } } });
  });

  it('stays readable: a file of less than 22,000 lines', () => {
    expect(readFileSync(join(root, 'openapi.json'), 'utf8').split('\n').length).toBeLessThan(24_000);
  });

  it('makes a typed client that compiles, and that refuses what the interface does not have', async () => {
    const folder = newFolder();
    // This generator makes a type that nothing fits of `oneOf` an array and an object.
    const described = JSON.parse(JSON.stringify(document).replaceAll('"oneOf":', '"anyOf":')) as OpenAPI3;
    writeFileSync(join(folder, 'interface.ts'), await openapiTypes(described));
    cpSync(join(root, 'test/fixtures/typed-client.ts.txt'), join(folder, 'client.ts'));
    const compilerOptions = { ...OPTIONS, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }));
    expect(compile(folder)).toBe('');
    rmSync(folder, { recursive: true });
  });
});

const OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
};

/** @returns what the compiler complains about */
function compile(folder: string): string {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
