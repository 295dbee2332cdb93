/** A schema of OpenAPI 3.1. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const KEYWORDS = new Set(['with', 'from', 'in', 'is', 'class', 'def', 'global', 'import']);
const WIDTH = 116;

/** A name that Python takes as a parameter. */
export const pythonName = (name: string): string => (KEYWORDS.has(name) ? `${name}_` : name);

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Sentences as lines of a comment or of a docstring. */
export function wrapped(text: string, before: string): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (before.length + line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.map((line) => before + line);
}

/** The types of Python's annotations. Each object becomes a TypedDict, when it is first needed. */
export class PythonTypes {
  readonly #components: Readonly<Record<string, Schema>>;
  /** The text of each class by its name. */
  readonly #classes = new Map<string, string>();
  /** The name of the class by its schema: equal ones share it. */
  readonly #names = new Map<string, string>();

  constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = components;
  }

  /** @param name for a class, where one is needed */
  of(schema: Schema, name: string): string {
    const { $ref, type, enum: values, properties, items } = schema;
    if ($ref !== undefined) return this.component($ref.slice($ref.lastIndexOf('/') + 1));
    if (schema.const !== undefined) return literal([schema.const]);
    if (values) return literal(values);
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms) return union(forms.map((form) => this.of(form, name)));
    if (Array.isArray(type)) return union(type.map((one: string) => this.of({ ...schema, type: one }, name)));
    if (type === 'array') return `list[${this.of(items ?? {}, name)}]`;
    if (properties && Object.keys(properties).length > 0) return this.#named(schema, name);
    if (type === 'object') return 'dict[str, Any]';
    return SIMPLE[type as string] ?? 'Any';
  }

  component(name: string): string {
    const schema = this.#components[name];
    if (!schema) throw new Error(`the schema ${name} is unknown`);
    return schema.properties ? this.#named(schema, name) : this.of(schema, name);
  }

  /** The classes, in the order in which they were needed. */
  print(): string {
    return [...this.#classes.values()].join('\n\n\n');
  }

  #named(schema: Schema, name: string): string {
    const key = JSON.stringify([schema.properties, schema.required]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    if (this.#classes.has(name)) throw new Error(`two schemas are called ${name}`);
    this.#names.set(key, name);
    // Its place, before the classes that it needs.
    this.#classes.set(name, '');
    this.#classes.set(name, this.#classOf(schema, name));
    return name;
  }

  #classOf({ properties = {}, required = [], description }: Schema, name: string): string {
    const fields = Object.entries(properties);
    const needed = fields.filter(([key]) => required.includes(key));
    const optional = fields.filter(([key]) => !required.includes(key));
    const lines = (some: typeof fields) =>
      some.flatMap(([key, schema]) => [
        ...(schema.description ? wrapped(schema.description.split('\n\n', 1)[0] ?? '', '    # ') : []),
        ...field(`    ${key}: ${this.of(schema, name + pascal(key))}`),
      ]);
    const doc = description && description !== 'Success' ? [...docstring(description, '    '), ''] : [];
    if (optional.length === 0) return [`class ${name}(TypedDict):`, ...doc, ...lines(needed)].join('\n');
    const rest = (base: string) => [`class ${name}(${base}, total=False):`, ...doc, ...lines(optional)];
    if (needed.length === 0) return rest('TypedDict').join('\n');
    const base = `_${name}`;
    return [`class ${base}(TypedDict):`, ...lines(needed), '', '', ...rest(base)].join('\n');
  }
}

/** A field; where it is too long, each word that it may have on a line. */
function field(line: string): string[] {
  const [, begin, words, end] = /^(.*Literal\[)(.*?)(\].*)$/.exec(line) ?? [];
  if (line.length <= WIDTH || words === undefined) return [line];
  return [`${begin}`, ...words.split(', ').map((word) => `        ${word},`), `    ${end}`];
}

/** A docstring: on one line, where it fits. */
export function docstring(text: string, indent: string): string[] {
  const plain = `${text.replaceAll('\\', '\\\\').replace(/[.:]?$/, '.')}`;
  const one = `${indent}"""${plain}"""`;
  if (one.length <= WIDTH && !plain.includes('\n')) return [one];
  const [first = '', ...others] = wrapped(plain, indent);
  return [`${indent}"""${first.trimStart()}`, ...others, `${indent}"""`];
}

const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;

const union = (types: readonly string[]) => [...new Set(types)].join(' | ');
