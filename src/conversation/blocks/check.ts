import { setImmediate as nextTurn } from 'node:timers/promises';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { expectation, type FieldProblem, MOST_PROBLEMS } from '#api';
import { isDeeper } from '#platform/depth.ts';
import { brokenRules } from './rules.ts';
import { type Block, BlocksOfPage, MOST_BLOCKS } from './shapes/blocks.ts';
import { blockSchemas } from './shapes/shape.ts';
import { parts, type Way } from './walk.ts';

/** Bytes of JSON that the blocks of a message, a form or a home may take. */
export const MAX_BLOCKS_BYTES = 65_536;
/** How much one list of blocks may be. */
export interface Bounds {
  /** At the top level. */
  readonly blocks: number;
  /** Of JSON. */
  readonly bytes: number;
}

const OF_MESSAGE: Bounds = { blocks: MOST_BLOCKS, bytes: MAX_BLOCKS_BYTES };
/** Blocks and elements together, however deep they lie. */
export const MOST_PARTS = 400;
/** Deeper than any shape is. */
const DEEPEST = 20;

/** Compiles the shapes one by one: all at once would keep everybody waiting for a quarter of a second. */
function* compiling(): Generator<undefined, ValidateFunction> {
  const ajv = new Ajv.default({
    allErrors: true,
    strict: false,
    verbose: true,
    discriminator: true,
    inlineRefs: false,
    // A test looks at the shapes themselves: the schema of schemas would take as long again.
    meta: false,
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addFormat('https', (value: string) => isWebAddress(value, ['https:']));
  ajv.addFormat('link', (value: string) => isWebAddress(value, ['https:', 'http:', 'mailto:', 'tel:']));
  ajv.addFormat('minute', /^(?:[01]\d|2[0-3]):[0-5]\d$/);
  ajv.addFormat('edge', /^(?:good|warning|danger|#[0-9A-Fa-f]{6})$/);
  ajv.addFormat('decimal', /^-?\d{1,30}(?:\.\d{1,10})?$/);
  // A shape stands behind those that it is made of.
  for (const schema of blockSchemas) {
    ajv.addSchema(schema);
    ajv.getSchema((schema as { $id: string }).$id);
    yield undefined;
  }
  // Fewer blocks are asked for before: `beyond`.
  return ajv.compile(BlocksOfPage);
}

const steps = compiling();
let validate: ValidateFunction | undefined;

/** @returns whether all is compiled */
function compileNext(): boolean {
  const { done, value } = validate ? { done: true, value: validate } : steps.next();
  if (done) validate = value;
  return done === true;
}

/** Prepares the check in small steps, so that the first blocks find it ready and nobody waits for it. */
export async function prepareCheck(stopping: AbortSignal): Promise<void> {
  do await nextTurn();
  while (!stopping.aborted && !compileNext());
}

/** Blocks that come before all is prepared have the rest compiled. */
function compiled(): ValidateFunction {
  while (!compileNext());
  return validate as ValidateFunction;
}

/**
 * Checks blocks as somebody sent them.
 * @returns the blocks, or what is wrong with them, each with the path and the JSON pointer (RFC 6901) of its place
 */
export function checkBlocks(
  given: unknown,
  bounds = OF_MESSAGE,
): readonly Block[] | { readonly problems: FieldProblem[] } {
  const excess = beyond(given, bounds);
  if (excess) return { problems: [problemAt([], excess)] };
  const check = compiled();
  if (!check(given)) {
    const found = new Map<string, FieldProblem>();
    for (const error of check.errors ?? []) {
      const one = problemOf(error);
      if (!found.has(one.field)) found.set(one.field, one);
      if (found.size === MOST_PROBLEMS) break;
    }
    return { problems: [...found.values()] };
  }
  const blocks = given as readonly Block[];
  const problems = brokenRules(blocks).map(({ way, message }) => problemAt(way, message));
  return problems.length > 0 ? { problems: problems.slice(0, MOST_PROBLEMS) } : blocks;
}

function isWebAddress(value: string, protocols: readonly string[]): boolean {
  const url = URL.parse(value);
  // A name before an @ poses as the host.
  return url !== null && protocols.includes(url.protocol) && url.username === '' && url.password === '';
}

/** Measured before anything else: what comes after takes time for each part. */
function beyond(given: unknown, most: Bounds): string | undefined {
  if (!Array.isArray(given)) return 'must be a list of blocks';
  if (given.length === 0) return 'must hold at least 1 block';
  if (given.length > most.blocks) return `must hold at most ${most.blocks} blocks`;
  if (isDeeper(given, DEEPEST)) return `must not be nested deeper than ${DEEPEST} levels`;
  const text = JSON.stringify(given);
  if (Buffer.byteLength(text) > most.bytes) return `must be at most ${most.bytes} bytes of JSON`;
  // As JSON writes it; a backslash before it would be one that was written.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) return 'must not contain U+0000';
  let count = 0;
  for (const _ of parts(given)) count++;
  return count > MOST_PARTS ? `must hold at most ${MOST_PARTS} blocks and elements together` : undefined;
}

function problemOf(error: ErrorObject): FieldProblem {
  const way: Way = error.instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  const { keyword, params, parentSchema } = error;
  switch (keyword) {
    case 'additionalProperties':
      return problemAt([...way, params.additionalProperty as string], 'is not a field that is known here');
    case 'required':
      return problemAt([...way, params.missingProperty as string], 'is required');
    case 'discriminator': {
      const { tagValue } = params as { tagValue: unknown };
      const allowed = typesIn(parentSchema as { oneOf: { $ref: string }[] });
      const known = `must be one of ${allowed.join(', ')}`;
      const message =
        typeof tagValue === 'string' && REFUSED.has(tagValue)
          ? `${tagValue} is not supported: ${known}`
          : known;
      return problemAt([...way, 'type'], message);
    }
    case 'const':
      return problemAt(way, `must be ${params.allowedValue}`);
    case 'format':
      return problemAt(way, FORMATS[params.format as string] ?? 'is wrong');
    default:
      return problemAt(way, expectation(error as Parameters<typeof expectation>[0]));
  }
}

/** Known elsewhere, and not here. */
const REFUSED = new Set([
  ...[
    'video',
    'file',
    'data_visualization',
    'plan',
    'task_card',
    'workflow_button',
    'call',
    'share_shortcut',
  ],
]);

const FORMATS: Readonly<Record<string, string>> = {
  https: 'must be an https address',
  link: 'must be an http, https, mailto or tel address',
  minute: 'must be a time as HH:mm',
  edge: 'must be good, warning, danger, or a colour as #rrggbb',
  decimal: 'must be a number, written as a text',
  date: 'must be a date as YYYY-MM-DD',
};

const typeOf = new Map<string, string>(
  blockSchemas.flatMap((schema) => {
    const { $id = '', properties } = schema as { $id?: string; properties?: { type?: { const?: string } } };
    const type = properties?.type?.const;
    return type === undefined ? [] : [[`${$id}#`, type] as const];
  }),
);

const typesIn = ({ oneOf = [] }: { oneOf?: readonly { $ref: string }[] }) =>
  oneOf.map(({ $ref }) => typeOf.get($ref)).filter((type) => type !== undefined);

/** A problem at a place. */
export function problemAt(way: Way, message: string): FieldProblem {
  const field = way.reduce<string>(
    (path, one) => (typeof one === 'number' ? `${path}[${one}]` : `${path}.${one}`),
    'blocks',
  );
  const pointer = ['blocks', ...way]
    .map((one) => `/${String(one).slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return { field: field.slice(0, 500), message, pointer };
}
