import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;
const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/** The documented paths as patterns, those without parameters first, as a router takes them. */
const patterns = Object.keys(document.paths)
  .sort((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));

const validators = new Map<string, ValidateFunction>();

/** Throws when an answer is not one that openapi.json describes for this route. */
export function expectDocumented(method: string, path: string, response: Response, body: unknown): void {
  const bare =
    path
      .split('?')[0]
      ?.replaceAll(/\/{2,}/g, '/')
      .replace(/(.)\/$/, '$1') ?? path;
  const found = patterns.find(({ pattern }) => pattern.test(bare));
  const operation = found && document.paths[found.path]?.[method.toLowerCase()];
  if (!found || !operation) return;
  if (response.status === 303 || response.status === 405) return;
  const described = operation.responses[String(response.status)];
  const where = `${method} ${found.path} ${response.status}`;
  if (!described) throw new Error(`${where} is not in openapi.json: ${JSON.stringify(body)}`);
  if (body === undefined) return;
  const validate = validatorOf(found.path, method.toLowerCase(), response.status);
  if (!validate(body))
    throw new Error(`${where} differs from openapi.json: ${ajv.errorsText(validate.errors)}`);
}

function validatorOf(path: string, method: string, status: number): ValidateFunction {
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1');
  const pointer = `openapi#/paths/${encodeURIComponent(escaped)}/${method}/responses/${status}/content/application~1json/schema`;
  let validate = validators.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: pointer });
    validators.set(pointer, validate);
  }
  return validate;
}
