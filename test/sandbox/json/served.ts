import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer, Playground } from '../playground.ts';

type Json = Readonly<Record<string, unknown>>;

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Json>>;
  readonly requestBody?: Content;
}

interface Place {
  readonly pattern: RegExp;
  readonly path: string;
  readonly verbs: Readonly<Record<string, DescribedOperation>>;
}

const ID = 'https://sandbox.example/openapi.json';
const JSON_MEDIA = ['content', 'application/json', 'schema'] as const;

/** The OpenAPI document as the sandbox serves it, to hold calls and their answers against. */
export class ServedDocument {
  readonly json: Json;
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  readonly #places: readonly Place[];

  constructor(json: Json) {
    this.json = json;
    formats.default(this.#ajv);
    // The document around the schemas is none itself; the schemas in it are judged strictly.
    this.#ajv.addVocabulary(Object.keys(json));
    // Only what a check asks for is compiled; references find their way through the whole document.
    this.#ajv.addSchema(json, ID, false, false);
    this.#places = Object.entries(json.paths as Record<string, Place['verbs']>)
      .map(([path, verbs]) => ({ path, verbs, pattern: patternOf(path) }))
      .sort((a, b) => variables(a.path) - variables(b.path));
  }

  static async of(sandbox: Playground): Promise<ServedDocument> {
    return new ServedDocument((await sandbox.call('/v2/openapi.json')).json);
  }

  /** What is wrong with an answer, in words; nothing where it is as described. `path`: below `/v2`, with or without a query. */
  problemsOf(
    method: string,
    path: string,
    { status, headers, json }: Pick<Answer, 'status' | 'headers' | 'json'> & Partial<Answer>,
  ): readonly string[] {
    const found = this.#find(method, path);
    if (!found) return [`${method} ${path} is not described`];
    const at = [...found.at, 'responses', String(status)];
    const described = found.operation.responses[String(status)];
    if (!described) return [`${found.operation.operationId} does not tell of ${String(status)}`];
    const place = typeof described.$ref === 'string' ? described.$ref.slice(2).split('/') : at;
    const named = headers.has('x-request-id') ? [] : ['there is no X-Request-Id'];
    const [media = 'application/json'] = (headers.get('content-type') ?? '').split(';');
    return [...named, ...this.#against([...place, 'content', media, 'schema'], json)];
  }

  /** What is wrong with the JSON body of a call. */
  problemsOfBody(method: string, path: string, body: unknown): readonly string[] {
    const found = this.#find(method, path);
    if (!found?.operation.requestBody) return [`${method} ${path} is described without a body`];
    return this.#against([...found.at, 'requestBody', ...JSON_MEDIA], body);
  }

  #find(
    method: string,
    path: string,
  ): { readonly operation: DescribedOperation; readonly at: readonly string[] } | undefined {
    const [bare = ''] = path.split('?');
    const verb = method.toLowerCase();
    const place = this.#places.find(({ pattern, verbs }) => pattern.test(bare) && verbs[verb]);
    const operation = place?.verbs[verb];
    return place && operation && { operation, at: ['paths', place.path, verb] };
  }

  #against(at: readonly string[], value: unknown): readonly string[] {
    const check = this.#compiled(at);
    if (check(value)) return [];
    return (check.errors ?? []).map((error) =>
      [error.instancePath, error.message, JSON.stringify(error.params)].join(' '),
    );
  }

  #compiled(at: readonly string[]): ValidateFunction {
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const check = this.#ajv.getSchema(`${ID}#/${pointer.join('/')}`);
    if (!check) throw new Error(`the document has nothing at ${at.join(' > ')}`);
    return check;
  }
}

const variables = (path: string): number => path.split('{').length;
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i');
