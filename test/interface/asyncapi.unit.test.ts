import { readFileSync } from 'node:fs';
import specifications from '@asyncapi/specs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { heardCatalogue } from '../../src/integration/subscriptions/index.ts';
import { resolve } from '../support/openapi.ts';

const asyncapi = JSON.parse(readFileSync(new URL('../../asyncapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv.default({ strict: false, allErrors: true, logger: false });
addFormats.default(ajv);
const isAsyncApi = ajv.compile(specifications.schemasWithoutId['3.0.0']);

it('asyncapi.json is AsyncAPI 3, by the schema of the specification', () => {
  isAsyncApi(asyncapi);
  expect(ajv.errorsText(isAsyncApi.errors)).toBe('No errors');
  expect(isAsyncApi({ ...asyncapi, channels: { stream: { messages: [] } } })).toBe(false);
});

it('asyncapi.json describes each kind on both ways, and its references lead somewhere', () => {
  const messages = Object.values(asyncapi.components.messages as Record<string, { name: string }>);
  expect(messages.map(({ name }) => name)).toEqual(Object.keys(heardCatalogue));
  for (const { messages: sent } of Object.values<{ messages: object }>(asyncapi.channels))
    expect(Object.keys(sent)).toEqual(Object.keys(asyncapi.components.messages));
  const references = [...JSON.stringify(asyncapi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '');
  expect(references.length).toBeGreaterThan(50);
  for (const reference of references) resolve(asyncapi, reference);
});
