import type { Schema } from './openapi.ts';

/** Ids of the reader's own, for examples that work as they stand. */
export interface Known {
  readonly team?: string | undefined;
  readonly application?: string | undefined;
  readonly user?: string | undefined;
}

/** Example values by the field's name, where its type alone says too little. */
function byName(name: string, known: Known): unknown {
  switch (name) {
    case 'team':
      return known.team;
    case 'application':
      return known.application;
    case 'user':
      return known.user;
    case 'addressed_teams':
      return known.team === undefined ? undefined : [known.team];
    case 'text':
      return 'Hello from the interface';
    case 'base_url':
      return 'https://app.example.org';
    case 'preinstall_url':
      return 'https://app.example.org/parley/install';
    case 'redirect_uris':
      return ['https://app.example.org/parley/redirect'];
    case 'emails':
      return ['somebody@example.org'];
    case 'email':
      return 'somebody@example.org';
    case 'url':
      return '/tasks/1';
  }
}

/** Optional fields that an example includes, since the request would be empty without them. */
const TELLING = new Set(['text', 'addressed_teams', 'name', 'first_name', 'team']);

/** @returns a value that fits the schema, with the required fields and the useful ones */
export function exampleOf(schema: Schema, known: Known, name = ''): unknown {
  const named = byName(name, known);
  if (named !== undefined) return named;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return exampleOf(choice, known, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) return exampleObject(schema, known);
  if (type === 'array') return schema.items ? [exampleOf(schema.items, known)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return schema.format === 'uuid' ? '00000000-0000-0000-0000-000000000000' : name || 'text';
}

function exampleObject({ properties = {}, required = [] }: Schema, known: Known): object {
  const shown = Object.entries(properties).filter(([name]) => required.includes(name) || TELLING.has(name));
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema, known, name)]));
}

/** A type in the words of JSON Schema, as `string`, `integer[]` or `"a" | "b"`. */
export function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' | ');
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'any'}[]`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return (schema.type as string | undefined) ?? 'any';
}
