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

interface Place {
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
    const place = { schemas, operation: operation.operationId ?? '', around: [] };
    const { requestBody, responses } = operation;
    return {
      ...operation,
      ...(requestBody && {
        requestBody: {
          ...requestBody,
          content: exemplify(requestBody.content, { ...place, isRequest: true }),
        },
      }),
      responses: exemplifyAnswers(responses, { ...place, isRequest: false }),
    };
  });
}

function exemplifyAnswers(responses: Operation['responses'], place: Place): Operation['responses'] {
  const answers = Object.entries(responses) as [string, Response][];
  return Object.fromEntries(
    answers.map(([status, answer]): [string, Response | Reference] => [
      status,
      status === '200' && answer.content ? { ...answer, content: exemplify(answer.content, place) } : answer,
    ]),
  );
}

/** Of files and pages there is none. */
function exemplify(content: Content, place: Place): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]): [string, Media] => {
      const isShown = /json$|urlencoded$/.test(type) && media.example === undefined;
      return [type, isShown ? { ...media, example: exampleOf(media.schema, '', place) } : media];
    }),
  );
}

function exampleOf(schema: Schema, name: string, place: Place): unknown {
  if (schema.$ref) return exampleOfReference(schema.$ref, name, place);
  if (schema.examples) return schema.examples[0];
  const [type, other] = [schema.type ?? (schema.properties && 'object')].flat();
  // Null is true of most; where it would hide what an answer is for, the operation has a value of its own.
  if (other === 'null' && !place.isRequest) return ownValueAt(name, place) ?? null;
  const known = valueAt(name, place);
  return known !== undefined && fits(known, schema, type) ? known : ofType(schema, type, name, place);
}

function exampleOfReference(reference: string, name: string, place: Place): unknown {
  const target = reference.split('/').at(-1) ?? '';
  const schema = place.schemas[target];
  return schema && exampleOf(schema, name, { ...place, around: [target, ...place.around] });
}

/** The value that the nearest place has for this name. */
function ownValueAt(name: string, { around, operation }: Place): unknown {
  const owners = [...around.slice(0, 1), operation, ...around.slice(1)];
  const key = owners.map((owner) => `${owner}.${name}`).find((one) => Object.hasOwn(byName, one));
  return key === undefined ? undefined : byName[key];
}

/** The same, else what the name means everywhere. */
function valueAt(name: string, place: Place): unknown {
  const named = Object.hasOwn(byName, name) ? byName[name] : undefined;
  return ownValueAt(name, place) ?? named ?? byEnding.find(([ending]) => ending.test(name))?.[1];
}

function fits(value: unknown, schema: Schema, type: string | undefined): boolean {
  if (schema.enum) return schema.enum.includes(value);
  if (Array.isArray(value)) return type === 'array' && value.length >= (schema.minItems ?? 0);
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  return type === undefined || type === typeof value;
}

function ofType(schema: Schema, type: string | undefined, name: string, place: Place): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.oneOf ?? schema.anyOf;
  const choice = choices?.find(({ $ref }) => $ref) ?? choices?.[0];
  if (choice) return exampleOf(choice, name, place);
  if (type === 'object') return ofObject(schema, name, place);
  if (type === 'array') return ofArray(schema, name, place);
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 0);
  if (type === 'boolean') return false;
  if (schema.format === 'uuid') return byName.id;
  if (type === 'string') return firstNamed(schema.description);
  return null;
}

/** Of a field whose description begins with its values, the first. */
const firstNamed = (description = '') => /^`([\w.]+)`/.exec(description)?.[1] ?? '';

function ofObject(schema: Schema, name: string, place: Place): object {
  const { properties = {}, required = [] } = schema;
  const inner =
    name === '' || (name === 'data' && place.around.length === 0)
      ? place
      : { ...place, around: [name, ...place.around] };
  const fields = Object.entries(properties).filter(
    ([field]) => required.includes(field) || telling.has(`${place.operation}.${field}`),
  );
  // A change has only fields that may be left out.
  const first = place.isRequest && fields.length === 0 ? Object.entries(properties).slice(0, 1) : fields;
  return Object.fromEntries(first.map(([field, value]) => [field, exampleOf(value, field, inner)]));
}

/** `data` has one item; of other lists, those that answers may have empty are. */
function ofArray({ items, minItems = 0, maxItems }: Schema, name: string, place: Place): unknown[] {
  if (!items || maxItems === 0) return [];
  const isPlain = items.$ref === undefined && (items.properties ?? items.enum ?? items.format) !== undefined;
  return name === 'data' || isPlain || minItems > 0 || place.isRequest ? [exampleOf(items, name, place)] : [];
}
