import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { NameServer } from '../../../test/support/name-server.ts';
import { until } from '../../../test/support/until.ts';
import { ANSWER_KEPT_MS, FAILURE_KEPT_MS, nameResolver } from './resolver.ts';

let names: NameServer;
let now: number;
let hosts: string;
beforeEach(async () => {
  names = await new NameServer().start();
  now = 1_000_000;
  hosts = join(newFolder(), 'hosts');
});
afterEach(() => names.stop());

function resolver({ patienceMs = 60_000 } = {}) {
  const lookup = nameResolver({ servers: [names.address], patienceMs, clock: () => now, hostsFile: hosts });
  return async (name: string, owner = 'owner') => (await lookup(name, owner)).map(({ address }) => address);
}

describe('a name', () => {
  it('has the addresses of both kinds', async () => {
    names.know('both.example', { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] });
    names.know('old.example', { A: ['192.0.2.3'] });
    names.know('new.example', { AAAA: ['2001:db8::2'] });
    const resolve = resolver();
    expect(await resolve('both.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await resolve('OLD.example.')).toEqual(['192.0.2.3']);
    expect(await resolve('new.example')).toEqual(['2001:db8::2']);
  });

  it('of one label is asked for as it is', async () => {
    names.know('service', { A: ['192.0.2.4'] });
    expect(await resolver()('service')).toEqual(['192.0.2.4']);
  });

  it('of this machine is asked of nobody', async () => {
    const resolve = resolver();
    for (const name of ['localhost', 'LOCALHOST.', 'app.localhost'])
      expect(await resolve(name)).toEqual(['127.0.0.1', '::1']);
    expect(names.asked).toEqual([]);
  });

  it('of the hosts file is read there, also after a change', async () => {
    const resolve = resolver();
    writeFileSync(hosts, '# here\n192.0.2.5\tOne.example two.example # three.example\n::5 one.example\n');
    expect(await resolve('one.example')).toEqual(['192.0.2.5', '::5']);
    expect(await resolve('two.example')).toEqual(['192.0.2.5']);
    expect(await resolve('three.example')).toEqual([]);
    writeFileSync(hosts, '192.0.2.66 one.example\n');
    expect(await resolve('one.example')).toEqual(['192.0.2.66']);
    expect(names.asked.map(({ name }) => name)).not.toContain('one.example');
  });

  it('whose answer is late has its addresses', async () => {
    names.know('late.example', { A: ['192.0.2.6'] });
    const answer = names.hold('late.example');
    const found = resolver()('late.example');
    await until(() => names.timesAsked('late.example') === 1);
    answer();
    expect(await found).toEqual(['192.0.2.6']);
  });

  it('that is never answered has none in the end', async () => {
    names.hold('example');
    expect(await resolver({ patienceMs: 90 })('never.example')).toEqual([]);
  });

  it('of a server that refuses has none', async () => {
    const resolve = resolver();
    await names.stop();
    expect(await resolve('any.example')).toEqual([]);
    names = await new NameServer().start();
  });
});

describe('answers are kept', () => {
  it('for a minute where there are no addresses', async () => {
    const resolve = resolver();
    for (let n = 0; n < 3; n++) expect(await resolve('none.example')).toEqual([]);
    expect(names.timesAsked('none.example')).toBe(1);
    names.know('none.example', { A: ['192.0.2.7'] });
    now += FAILURE_KEPT_MS - 1;
    expect(await resolve('none.example')).toEqual([]);
    now += 2;
    expect(await resolve('none.example')).toEqual(['192.0.2.7']);
    expect(names.timesAsked('none.example')).toBe(2);
  });

  it('for seconds where there are some', async () => {
    const resolve = resolver();
    names.know('moves.example', { A: ['192.0.2.8'], ttl: 0 });
    await resolve('moves.example');
    names.know('moves.example', { A: ['192.0.2.9'] });
    expect(await resolve('moves.example', 'another')).toEqual(['192.0.2.8']);
    now += ANSWER_KEPT_MS + 1;
    expect(await resolve('moves.example')).toEqual(['192.0.2.9']);
  });

  it('and look-ups of one name at once are one', async () => {
    names.know('same.example', { A: ['192.0.2.10'] });
    const answer = names.hold('same.example');
    const resolve = resolver();
    const all = ['a', 'b', 'c'].flatMap((owner) => [
      resolve('same.example', owner),
      resolve('same.example', owner),
    ]);
    await until(() => names.timesAsked('same.example') === 1);
    answer();
    expect(new Set((await Promise.all(all)).flat())).toEqual(new Set(['192.0.2.10']));
    expect(names.timesAsked('same.example')).toBe(1);
  });
});

describe('the look-ups of an owner whose names are never answered', () => {
  it('are few at once, and delay those of nobody else, not even of the same name', async () => {
    const answer = names.hold('never.example');
    names.know('well.example', { A: ['192.0.2.11'] });
    const resolve = resolver();
    const theirs = Array.from({ length: 20 }, (_, n) => resolve(`n${n}.never.example`, 'mallory'));
    const behind = resolve('well.example', 'mallory');
    await until(() => names.asked.length >= 8);
    expect(await resolve('well.example', 'ada')).toEqual(['192.0.2.11']);
    expect(new Set(names.asked.map(({ name }) => name)).size).toBe(5);
    answer();
    expect((await Promise.all(theirs)).flat()).toEqual([]);
    expect(await behind).toEqual(['192.0.2.11']);
  });
});
