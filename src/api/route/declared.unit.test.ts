import fastify from 'fastify';
import { type TArrayOptions, type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { acceptDeclared } from './declared.ts';
import { ByHand } from './schemas.ts';
import { validatorCompiler } from './validation.ts';

function newServer() {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler([]));
  acceptDeclared(app);
  return app;
}

const route = (body: object) => () =>
  newServer().post('/x', { config: { access: 'anyone' }, schema: { body } }, async () => 'x');

describe('claim: undeclared-dropped', () => {
  it.each([
    ['a value of any kind', Type.Object({ any: Type.Unknown() }), 'body.any'],
    ['a record', Type.Object({ map: Type.Record(Type.String(), Type.String()) }), 'body.map'],
    ['a list of anything', Type.Object({ list: Type.Array(Type.Unknown()) }), 'body.list[]'],
    ['more than it declares', Type.Object({}, { additionalProperties: true }), 'body'],
    [
      'one of several objects',
      Type.Object({ one: Type.Union([Type.Object({}), Type.String()]) }),
      'body.one',
    ],
  ])('a route that takes %s is refused', (_, body, path) => {
    expect(route(body)).toThrow(`POST /x does not declare what ${path} holds.`);
  });

  const List = (options: TArrayOptions, items: TSchema = Type.String()) =>
    Type.Object({ list: Type.Array(items, options) });

  it.each([
    ['a list without a bound', List({}), 'does not declare how many items body.list may hold (maxItems)'],
    [
      'one within a list',
      List({ maxItems: 9 }, List({})),
      'does not declare how many items body.list[].list may hold (maxItems)',
    ],
    [
      'one that is read by hand',
      Type.Object({ free: ByHand('A text or a list', Type.String(), Type.Array(Type.String())) }),
      'does not declare how many items body.free may hold (maxItems)',
    ],
    ['a list of a million', List({ maxItems: 1e6 }), 'lets body.list hold more than 1000 items'],
    [
      'lists that hold as many together',
      List({ maxItems: 100 }, List({ maxItems: 100 })),
      'lets body.list[].list hold more than 10 items',
    ],
    [
      'unique items of any kind',
      List({ maxItems: 9, uniqueItems: true }, Type.Enum(['a', 'b'])),
      'asks for unique items in body.list, whose items have no scalar type',
    ],
  ])('a route that takes %s is refused (claim: lists-bounded)', (_, body, problem) => {
    expect(route(body)).toThrow(`POST /x ${problem}.`);
    const inQuery = () =>
      newServer().get('/x', { config: { access: 'anyone' }, schema: { querystring: body } }, async () => 'x');
    expect(inQuery).toThrow(`GET /x ${problem.replace('body', 'querystring')}.`);
  });

  it('a handler gets declared fields only, at every depth, and nothing without a schema', async () => {
    const app = newServer();
    const body = Type.Object({
      kept: Type.Optional(Type.String()),
      inner: Type.Optional(Type.Object({ kept: Type.Optional(Type.Integer()) })),
      list: Type.Optional(Type.Array(Type.Object({ kept: Type.Optional(Type.Integer()) }), { maxItems: 9 })),
      free: Type.Optional(ByHand('As it is')),
    });
    const config = { access: 'anyone' } as const;
    app.post('/closed', { config, schema: { body } }, async (request) => request.body);
    app.post('/none/:id', { config }, async ({ body, query, params }) => ({ body, query, params }));
    const payload = {
      kept: 'a',
      id: 1,
      inner: { kept: 1, id: 1 },
      list: [{ kept: 1, id: 1 }],
      free: { id: 1 },
    };
    const closed = await app.inject({ method: 'POST', url: '/closed', payload });
    expect(closed.json()).toEqual({ kept: 'a', inner: { kept: 1 }, list: [{ kept: 1 }], free: { id: 1 } });
    const none = await app.inject({ method: 'POST', url: '/none/1?id=1', payload });
    expect(none.json()).toEqual({ query: {}, params: {} });
  });
});
