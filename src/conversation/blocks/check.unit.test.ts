import Ajv from 'ajv';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import './shapes/blocks.ts';
import { blockSchemas } from './shapes/shape.ts';

it('the shapes of blocks are schemas', () => {
  const ajv = new Ajv.default({ strict: false });
  const wrong = blockSchemas.filter((schema) => !ajv.validateSchema(schema));
  expect([wrong, blockSchemas.length > 50]).toEqual([[], true]);
});

describe('the check of blocks', () => {
  const DIVIDER = [{ type: 'divider' }];
  const WRONG = [{ type: 'divider', color: 'red' }];
  let checkBlocks: typeof import('./check.ts').checkBlocks;
  let prepareCheck: typeof import('./check.ts').prepareCheck;
  let compile: MockInstance;

  beforeEach(async () => {
    vi.resetModules();
    compile = vi.spyOn(Ajv.default.prototype, 'compile');
    ({ checkBlocks, prepareCheck } = await import('./check.ts'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is prepared in steps between which others come, and compiles nothing afterwards', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await prepareCheck(new AbortController().signal);
    isOver = true;
    expect(turns).toBeGreaterThan(50);
    expect(compile).toHaveBeenCalledTimes(1);
    expect([checkBlocks(DIVIDER), checkBlocks(WRONG)]).toMatchObject([DIVIDER, { problems: [{}] }]);
    expect(compile).toHaveBeenCalledTimes(1);
  });

  it('works as well before it is prepared, or when the server stops meanwhile', async () => {
    const preparing = prepareCheck(AbortSignal.abort());
    expect([checkBlocks(DIVIDER), checkBlocks(WRONG)]).toMatchObject([DIVIDER, { problems: [{}] }]);
    await preparing;
    expect(compile).toHaveBeenCalledTimes(1);
  });
});
