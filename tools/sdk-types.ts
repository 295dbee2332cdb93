interface Part {
  readonly [name: string]: unknown;
}

interface Operation extends Part {
  readonly security?: readonly Part[];
  readonly responses: Part;
}

interface Described {
  readonly components: Readonly<Record<string, Part>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The credentials of a call: a person's token, or the application's id and secret. */
const CREDENTIALS = ['token', 'basic'];

const HEADER = '/** Made from the schemas of the routes by `npm run documents`: do not edit by hand. */\n';

/** The types of the SDK: what the operations for applications take and answer, and the events that they hear. */
export async function sdkTypes(document: object, events: object): Promise<string> {
  // A package of development: only this command needs it.
  const { default: typesOf } = await import('openapi-typescript');
  // This generator makes a type that nothing fits of `oneOf` an array and an object.
  const text = JSON.stringify(forApplications(document as Described, events as Described)).replaceAll(
    '"oneOf":',
    '"anyOf":',
  );
  return typesOf(JSON.parse(text), { commentHeader: HEADER, emptyObjectsUnknown: true });
}

/** The same document without the operations of a session, the error answers, and the examples; with the events. */
function forApplications({ components, paths, ...rest }: Described, events: Described): object {
  const kept = Object.entries(paths)
    .map(([path, methods]) => [path, keepOperations(methods)] as const)
    .filter(([, methods]) => Object.keys(methods).length > 0);
  const own = Object.fromEntries(kept);
  const found = referenced(own, components);
  return {
    ...rest,
    paths: own,
    components: { ...found, schemas: { ...found.schemas, ...events.components.schemas } },
  };
}

function keepOperations(methods: Readonly<Record<string, Operation>>): Readonly<Record<string, Operation>> {
  const kept = Object.entries(methods).filter(([, { security = [] }]) =>
    security.some((way) => CREDENTIALS.some((name) => name in way)),
  );
  return Object.fromEntries(
    kept.map(([method, operation]) => {
      const { 200: success } = operation.responses as Part;
      return [method, withoutExamples({ ...operation, responses: { 200: success } }) as Operation];
    }),
  );
}

const withoutExamples = (part: unknown): unknown =>
  JSON.parse(JSON.stringify(part, (key, value: unknown) => (key === 'example' ? undefined : value)));

/** The components that these paths refer to, and those that these refer to in turn. */
function referenced(paths: object, components: Described['components']): Record<string, Part> {
  const found: Record<string, Part> = {};
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (found[kind]?.[name] !== undefined) continue;
      const component = withoutExamples(components[kind]?.[name]);
      found[kind] = { ...found[kind], [name]: component };
      visit(component);
    }
  };
  visit(paths);
  return found;
}
