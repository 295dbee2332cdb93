import fastify from 'fastify';
import { Type } from 'typebox';
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

  it('a handler gets declared fields only, at every depth, and nothing without a schema', async () => {
    const app = newServer();
    const body = Type.Object({
      kept: Type.Optional(Type.String()),
      inner: Type.Optional(Type.Object({ kept: Type.Optional(Type.Integer()) })),
      list: Type.Optional(Type.Array(Type.Object({ kept: Type.Optional(Type.Integer()) }))),
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
