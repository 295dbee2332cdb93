import { byEnding, byName, telling } from './example-values.ts';
import {
  type Content,
  type Document,
  type Media,
  mapOperations,
  type Operation,
  type Reference,
  type Response,
  type Schema,
} from './types.ts';

interface ExampleContext {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operation: string;
  /** A request shows what it must have, an answer also what may be null. */
  readonly isRequest: boolean;
  /** The names of the schema or field around, the nearest first. */
  readonly around: readonly string[];
}

/** Gives each body and each JSON answer an example: from its schema, and from the names of the fields. */
export function addExamples(document: Document): Document {
  const { schemas = {} } = document.components;
  return mapOperations(document, (operation) => {
    const context = { schemas, operation: operation.operationId ?? '', around: [] };
    const { requestBody, responses } = operation;
    return {
      ...operation,
      ...(requestBody && {
        requestBody: {
          ...requestBody,
          content: exemplify(requestBody.content, { ...context, isRequest: true }),
        },
      }),
      responses: exemplifyAnswers(responses, { ...context, isRequest: false }),
    };
  });
}

function exemplifyAnswers(
  responses: Operation['responses'],
  context: ExampleContext,
): Operation['responses'] {
  const answers = Object.entries(responses) as [string, Response][];
  return Object.fromEntries(
    answers.map(([status, answer]): [string, Response | Reference] => [
      status,
      status === '200' && answer.content
        ? { ...answer, content: exemplify(answer.content, context) }
        : answer,
    ]),
  );
}

/** Of files and pages there is none. */
function exemplify(content: Content, context: ExampleContext): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]): [string, Media] => {
      const isShown = /json$|urlencoded$/.test(type) && media.example === undefined;
      return [type, isShown ? { ...media, example: exampleOf(media.schema, '', context) } : media];
    }),
  );
}

function exampleOf(schema: Schema, name: string, context: ExampleContext): unknown {
  if (schema.$ref) return exampleOfReference(schema.$ref, name, context);
  if (schema.examples) return schema.examples[0];
  const [type, other] = [schema.type ?? (schema.properties && 'object')].flat();
  // Null is true of most; where it would hide what an answer is for, the operation has a value of its own.
  if (other === 'null' && !context.isRequest) return ownValueAt(name, context) ?? null;
  const known = valueAt(name, context);
  return known !== undefined && fits(known, schema, type) ? known : ofType(schema, type, name, context);
}

function exampleOfReference(reference: string, name: string, context: ExampleContext): unknown {
  const target = reference.split('/').at(-1) ?? '';
  const schema = context.schemas[target];
  return schema && exampleOf(schema, name, { ...context, around: [target, ...context.around] });
}

/** The value that belongs to this name in the nearest schema around it, if any has one. */
function ownValueAt(name: string, { around, operation }: ExampleContext): unknown {
  const owners = [...around.slice(0, 1), operation, ...around.slice(1)];
  const key = owners.map((owner) => `${owner}.${name}`).find((one) => Object.hasOwn(byName, one));
  return key === undefined ? undefined : byName[key];
}

/** A value for this name in its context, else the general one for the name. */
function valueAt(name: string, context: ExampleContext): unknown {
  const named = Object.hasOwn(byName, name) ? byName[name] : undefined;
  return ownValueAt(name, context) ?? named ?? byEnding.find(([ending]) => ending.test(name))?.[1];
}

function fits(value: unknown, schema: Schema, type: string | undefined): boolean {
  if (schema.enum) return schema.enum.includes(value);
  if (Array.isArray(value)) {
    const isOfObjects = schema.items?.$ref !== undefined;
    return type === 'array' && value.length >= (schema.minItems ?? 0) && !isOfObjects;
  }
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  return type === undefined || type === typeof value;
}

function ofType(schema: Schema, type: string | undefined, name: string, context: ExampleContext): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.oneOf ?? schema.anyOf;
  const choice = choices?.find(({ $ref }) => $ref) ?? choices?.[0];
  if (choice) return exampleOf(choice, name, context);
  if (type === 'object') return ofObject(schema, name, context);
  if (type === 'array') return ofArray(schema, name, context);
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 0);
  if (type === 'boolean') return false;
  if (schema.format === 'uuid') return byName.id;
  if (type === 'string') return firstNamed(schema.description);
  return null;
}

/** Of a field whose description begins with its values, the first. */
const firstNamed = (description = '') => /^`([\w.]+)`/.exec(description)?.[1] ?? '';

function ofObject(schema: Schema, name: string, context: ExampleContext): object {
  const { properties = {}, required = [] } = schema;
  const inner =
    name === '' || (name === 'data' && context.around.length === 0)
      ? context
      : { ...context, around: [name, ...context.around] };
  const fields = Object.entries(properties).filter(
    ([field]) => required.includes(field) || telling.has(`${context.operation}.${field}`),
  );
  // A change has only fields that may be left out.
  const first = context.isRequest && fields.length === 0 ? Object.entries(properties).slice(0, 1) : fields;
  return Object.fromEntries(first.map(([field, value]) => [field, exampleOf(value, field, inner)]));
}

/** Gives `data` one item. Other lists are empty where the schema allows it. */
function ofArray(
  { items, minItems = 0, maxItems }: Schema,
  name: string,
  context: ExampleContext,
): unknown[] {
  if (!items || maxItems === 0) return [];
  const isPlain = items.$ref === undefined && (items.properties ?? items.enum ?? items.format) !== undefined;
  return name === 'data' || isPlain || minItems > 0 || context.isRequest
    ? [exampleOf(items, name, context)]
    : [];
}
