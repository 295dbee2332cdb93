/** As much of JSON Schema as the routes use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export type Content = Readonly<Record<string, Media>>;

export interface Response {
  readonly description: string;
  readonly content?: Content;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
}

export interface Reference {
  readonly $ref: string;
}

export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

/** As much of OpenAPI 3.1 as we write. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Maps the operations of a document. */
export function mapOperations(document: Document, map: (operation: Operation) => Operation): Document {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, map(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
